import type { Context } from '../../context.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import {
  existing,
  lockOwnWebhook,
  ownWebhook,
  recover,
  redeliver,
  sendTest,
} from '../../webhooks/webhooks.ts'
import { IdParams, pageAnswer, pageOf } from '../wire.ts'
import {
  Delivery,
  DeliveryDetails,
  DeliveryList,
  DeliveryParams,
  DeliveryQueryParams,
  presentDelivery,
  presentDetails,
  RecoverBody,
  Recovered,
} from './schema.ts'

/** What was sent to a subscription, and sending it again. */
export function deliveryRoutes(context: Context): readonly Route[] {
  const { store, cursors } = context

  const list = route({
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'What was sent to a subscription, or waits to be, newest first',
    description: 'Kept for 30 days.',
    callers: ['owner'],
    params: IdParams,
    query: DeliveryQueryParams,
    answers: { 200: { description: 'A page of deliveries', schema: DeliveryList } },
    async handle({ caller, params: { id }, query }) {
      await ownWebhook(store, caller.ownerId, id)
      const { status } = query
      const name = { list: 'deliveries', id, status }
      const { position, limit } = pageOf<[number]>(cursors, query, name)
      const page = await store.deliveries.list(id, { status, before: position?.[0] ?? null, limit })
      return pageAnswer(cursors, page, name, presentDelivery, ({ number }) => [number])
    },
  })

  const get = route({
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
    operationId: 'getWebhookDelivery',
    tag: 'Webhooks',
    summary: 'One delivery, with what was told and every attempt',
    description: 'Of each attempt: when, how long, what was answered.',
    callers: ['owner'],
    params: DeliveryParams,
    answers: { 200: { description: 'The delivery', schema: DeliveryDetails } },
    async handle({ caller, params: { id, deliveryId } }) {
      await ownWebhook(store, caller.ownerId, id)
      return ok(presentDetails(await existing(store, id, deliveryId)))
    },
  })

  const again = route({
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    operationId: 'redeliverWebhook',
    tag: 'Webhooks',
    summary: 'Send a delivery again',
    description:
      'Under the same `webhook-id`, with a schedule of its own, beside the order of its agent. One ' +
      'that still waits is tried now.',
    callers: ['owner'],
    params: DeliveryParams,
    answers: { 202: { description: 'The delivery, queued', schema: Delivery } },
    errors: ['CONFLICT'],
    handle: ({ caller, params: { id, deliveryId }, transact }) =>
      transact(async (within) => {
        const webhook = await lockOwnWebhook(within, caller.ownerId, id)
        return accepted(presentDelivery(await redeliver(within, context, webhook, deliveryId)))
      }),
  })

  const recoverAll = route({
    method: 'post',
    path: '/v1/webhooks/{id}/recover',
    operationId: 'recoverWebhook',
    tag: 'Webhooks',
    summary: 'Send again what was not delivered since a time',
    description:
      'Queues, in order, what failed and what was told while the subscription was disabled. What ' +
      'was delivered is not sent again.',
    callers: ['owner'],
    params: IdParams,
    body: RecoverBody,
    answers: { 202: { description: 'How much was queued', schema: Recovered } },
    errors: ['CONFLICT'],
    handle: ({ caller, params: { id }, body, transact }) =>
      transact(async (within) => {
        const webhook = await lockOwnWebhook(within, caller.ownerId, id)
        return accepted(await recover(within, context, webhook, body.since))
      }),
  })

  const test = route({
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a notice of the type webhook.test',
    description: 'Read the delivery to see what the receiver answered.',
    callers: ['owner'],
    params: IdParams,
    answers: { 202: { description: 'The delivery, queued', schema: Delivery } },
    errors: ['CONFLICT'],
    handle: ({ caller, params: { id }, transact }) =>
      transact(async (within) => {
        const webhook = await lockOwnWebhook(within, caller.ownerId, id)
        return accepted(presentDelivery(await sendTest(within, context, webhook)))
      }),
  })

  return [list, get, again, recoverAll, test]
}

function accepted(body: unknown) {
  return { status: 202, body }
}

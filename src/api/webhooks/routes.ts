import type { Context } from '../../context.ts'
import { created, noContent, ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import {
  createWebhook,
  lockOwnWebhook,
  ownWebhook,
  rotateSecret,
  updateWebhook,
} from '../../webhooks/webhooks.ts'
import { IdParams, PageQuery, pageAnswer, pageOf, time } from '../wire.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { listenerRoutes } from './listener-routes.ts'
import {
  CreateWebhookBody,
  presentWebhook,
  RotatedSecret,
  UpdateWebhookBody,
  Webhook,
  WebhookList,
  WebhookWithSecret,
} from './schema.ts'

const WEBHOOK = { description: 'The subscription', schema: Webhook }

export function webhookRoutes(context: Context): readonly Route[] {
  const { store, cursors, now } = context

  const create = route({
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Create a webhook subscription',
    description:
      'The answer alone carries the secret. What is posted is signed with it by Standard Webhooks ' +
      '1.0.0, delivered at least once under one `webhook-id`, and in order for each agent.',
    callers: ['owner'],
    body: CreateWebhookBody,
    answers: {
      201: { description: 'The subscription, with its secret', schema: WebhookWithSecret },
    },
    handle: ({ caller, body, transact }) =>
      transact(async (within) => {
        const { webhook, secret } = await createWebhook(within, context, caller.ownerId, body)
        return created({ ...presentWebhook(webhook), secret })
      }),
  })

  const list = route({
    method: 'get',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhook subscriptions, newest first',
    description: 'Paused and disabled ones among them, with the reason.',
    callers: ['owner'],
    query: PageQuery,
    answers: { 200: { description: 'A page of subscriptions', schema: WebhookList } },
    async handle({ caller, query }) {
      const name = { list: 'webhooks', ownerId: caller.ownerId }
      const { position, limit } = pageOf<[string]>(cursors, query, name)
      const page = await store.webhooks.list(caller.ownerId, position?.[0] ?? null, limit)
      return pageAnswer(cursors, page, name, presentWebhook, ({ id }) => [id])
    },
  })

  const get = route({
    method: 'get',
    path: '/v1/webhooks/{id}',
    operationId: 'getWebhook',
    tag: 'Webhooks',
    summary: 'Get a webhook subscription',
    description: 'With its state: whether it is told, and why not.',
    callers: ['owner'],
    params: IdParams,
    answers: { 200: WEBHOOK },
    handle: async ({ caller, params }) =>
      ok(presentWebhook(await ownWebhook(store, caller.ownerId, params.id))),
  })

  const update = route({
    method: 'patch',
    path: '/v1/webhooks/{id}',
    operationId: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change a webhook subscription, or resume it',
    description:
      'Events, agents and URL apply to what is told from now on. `status: "active"` resumes: what ' +
      'waited is sent at once.',
    callers: ['owner'],
    params: IdParams,
    body: UpdateWebhookBody,
    answers: { 200: WEBHOOK },
    handle: ({ caller, params, body, transact }) =>
      transact(async (within) => {
        const webhook = await lockOwnWebhook(within, caller.ownerId, params.id)
        return ok(presentWebhook(await updateWebhook(within, context, webhook, body)))
      }),
  })

  const remove = route({
    method: 'delete',
    path: '/v1/webhooks/{id}',
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a webhook subscription',
    description: 'What waits is not sent any more.',
    callers: ['owner'],
    params: IdParams,
    answers: { 204: { description: 'It is gone' } },
    handle: ({ caller, params, transact }) =>
      transact(async (within) => {
        const webhook = await lockOwnWebhook(within, caller.ownerId, params.id)
        await within.webhooks.delete(webhook.id, now())
        return noContent()
      }),
  })

  const rotate = route({
    method: 'post',
    path: '/v1/webhooks/{id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Give a subscription a new secret',
    description: 'For 24 hours each notice carries two signatures: of the new secret and the old.',
    callers: ['owner'],
    params: IdParams,
    answers: { 201: { description: 'The new secret', schema: RotatedSecret } },
    handle: ({ caller, params, transact }) =>
      transact(async (within) => {
        const webhook = await lockOwnWebhook(within, caller.ownerId, params.id)
        const { secret, previousUntil } = await rotateSecret(within, context, webhook)
        return created({ secret, previousSecretExpiresAt: time(previousUntil) })
      }),
  })

  return [
    create,
    list,
    get,
    update,
    remove,
    rotate,
    ...deliveryRoutes(context),
    ...listenerRoutes(context),
  ]
}

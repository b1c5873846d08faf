import type { Context } from '../../context.ts'
import { accepted, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { existingDelivery, recover, redeliver, sendTest } from '../../webhooks/deliveries.ts'
import { ownWebhook } from '../../webhooks/webhooks.ts'
import { pageOf } from '../paging.ts'
import { DELIVERY_SPECS } from './delivery-spec.ts'
import { holderOf, lockedWebhook } from './holder.ts'
import { presentDelivery, presentDeliveryDetails } from './present.ts'

export function deliveryRoutes(deps: Context): readonly Route[] {
  return bind(DELIVERY_SPECS, deps, {
    listWebhookDeliveries,
    getWebhookDelivery,
    redeliverWebhook,
    recoverWebhook,
    testWebhook,
  })
}

type In<Name extends keyof typeof DELIVERY_SPECS> = InputOf<(typeof DELIVERY_SPECS)[Name]>

async function listWebhookDeliveries(deps: Context, input: In<'listWebhookDeliveries'>) {
  const { store, cursors } = deps
  const { id } = input.params
  const { status } = input.query
  await ownWebhook(store, holderOf(input.caller).id, id)
  const name = { list: 'deliveries', id, status }
  const { position, limit, respond } = pageOf<[number]>(cursors, input.query, name)
  const page = await store.deliveries.list({ webhookId: id, status }, position?.[0] ?? null, limit)
  return respond(page, presentDelivery, ({ number }) => [number])
}

async function getWebhookDelivery(
  { store }: Context,
  { caller, params }: In<'getWebhookDelivery'>,
) {
  await ownWebhook(store, holderOf(caller).id, params.id)
  return ok(presentDeliveryDetails(await existingDelivery(store, params.id, params.deliveryId)))
}

function redeliverWebhook(deps: Context, input: In<'redeliverWebhook'>) {
  const { caller, params, transact } = input
  return transact(async (within) => {
    const webhook = await lockedWebhook(within, caller, params.id)
    return accepted(presentDelivery(await redeliver(within, deps, webhook, params.deliveryId)))
  })
}

function recoverWebhook(deps: Context, input: In<'recoverWebhook'>) {
  const { caller, params, body, transact } = input
  return transact(async (within) => {
    const webhook = await lockedWebhook(within, caller, params.id)
    return accepted(await recover(within, deps, webhook, body.since))
  })
}

function testWebhook(deps: Context, { caller, params, transact }: In<'testWebhook'>) {
  return transact(async (within) => {
    const webhook = await lockedWebhook(within, caller, params.id)
    return accepted(presentDelivery(await sendTest(within, deps, webhook)))
  })
}

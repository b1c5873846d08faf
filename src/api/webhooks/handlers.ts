import type { Context } from '../../context.ts'
import { created, noContent, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { WebhookRow } from '../../store/store.ts'
import { urlOf } from '../../webhooks/target.ts'
import * as webhooks from '../../webhooks/webhooks.ts'
import { idOf, pageByKey } from '../paging.ts'
import { holderOf, lockedWebhook } from './holder.ts'
import { presentRotatedSecret, presentWebhook } from './present.ts'
import { WEBHOOK_SPECS } from './spec.ts'

export interface WebhookDeps extends Context, webhooks.WebhookSources {}

export function webhookRoutes(deps: WebhookDeps): readonly Route[] {
  return bind(WEBHOOK_SPECS, deps, {
    createWebhook,
    listWebhooks,
    getWebhook,
    updateWebhook,
    deleteWebhook,
    rotateWebhookSecret,
  })
}

type In<Name extends keyof typeof WEBHOOK_SPECS> = InputOf<(typeof WEBHOOK_SPECS)[Name]>

function present(deps: WebhookDeps, webhook: WebhookRow) {
  return presentWebhook(webhook, urlOf(deps, webhook))
}

function createWebhook(deps: WebhookDeps, { caller, body, transact }: In<'createWebhook'>) {
  return transact(async (within) => {
    const made = await webhooks.createWebhook(within, deps, holderOf(caller), body)
    return created({ ...present(deps, made.webhook), secret: made.secret })
  })
}

async function listWebhooks(deps: WebhookDeps, { caller, query }: In<'listWebhooks'>) {
  const { store, cursors } = deps
  const { id: ownerId } = holderOf(caller)
  const name = { list: 'webhooks', ownerId }
  const { after, limit, respond } = pageByKey(cursors, query, name)
  const page = await store.webhooks.list(ownerId, after, limit)
  return respond(page, (webhook) => present(deps, webhook), idOf)
}

async function getWebhook(deps: WebhookDeps, { caller, params }: In<'getWebhook'>) {
  return ok(present(deps, await webhooks.ownWebhook(deps.store, holderOf(caller).id, params.id)))
}

function updateWebhook(deps: WebhookDeps, input: In<'updateWebhook'>) {
  const { caller, params, body, transact } = input
  return transact(async (within) => {
    const webhook = await lockedWebhook(within, caller, params.id)
    return ok(present(deps, await webhooks.updateWebhook(within, deps, webhook, body)))
  })
}

function deleteWebhook(_deps: WebhookDeps, { caller, params, transact }: In<'deleteWebhook'>) {
  return transact(async (within) => {
    const webhook = await lockedWebhook(within, caller, params.id)
    await within.webhooks.delete({ id: webhook.id })
    return noContent()
  })
}

function rotateWebhookSecret(deps: WebhookDeps, input: In<'rotateWebhookSecret'>) {
  const { caller, params, transact } = input
  return transact(async (within) => {
    const webhook = await lockedWebhook(within, caller, params.id)
    return created(presentRotatedSecret(await webhooks.rotateSecret(within, deps, webhook)))
  })
}

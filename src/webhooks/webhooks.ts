import { secretName, urlName } from '../delivery/deliver.ts'
import { HEALTHY } from '../delivery/health.ts'
import { newSecret } from '../delivery/sign.ts'
import { forbidden, invalid, invalidField, notFound } from '../domain/error.ts'
import type { NotificationFilter } from '../domain/notification.ts'
import { DAY_MS } from '../domain/time.ts'
import type { Sources } from '../lib/sources.ts'
import type { Vault } from '../lib/vault.ts'
import { createPolicy } from '../outbound/address.ts'
import { checkPublicUrl } from '../outbound/url.ts'
import type { Store, WebhookRow } from '../store/store.ts'

/** What webhooks are created and changed with. */
export interface WebhookSources extends Sources {
  readonly vault: Vault
  /** Address ranges that webhooks may reach besides public ones. */
  readonly policy: { readonly webhookAllow: readonly string[] }
}

export interface WebhookInput {
  readonly url: string
  readonly events: readonly NotificationFilter[]
  readonly description?: string | null | undefined
  readonly agentIds?: readonly string[] | null | undefined
}

export interface WebhookPatch {
  readonly url?: string | undefined
  readonly events?: readonly NotificationFilter[] | undefined
  readonly description?: string | null | undefined
  readonly agentIds?: readonly string[] | null | undefined
  readonly status?: 'active' | 'disabled' | undefined
}

/** Every notification is matched against each of them; Stripe allows sixteen. */
const WEBHOOKS_MAX = 20

/** A day to bring the new secret to every receiver. */
const OVERLAP_MS = DAY_MS

/** Creates a subscription; its secret is returned here and never again. */
export async function createWebhook(
  store: Store,
  sources: WebhookSources,
  ownerId: string,
  input: WebhookInput,
): Promise<{ readonly webhook: WebhookRow; readonly secret: string }> {
  // The owner is locked, so that two simultaneous requests cannot exceed the maximum.
  if (!(await store.owners.find(ownerId, { lock: 'wait' }))) {
    throw notFound('owner')
  }
  const { rows: webhooks } = await store.webhooks.list(ownerId, null, WEBHOOKS_MAX)
  if (webhooks.length >= WEBHOOKS_MAX) {
    throw forbidden(`an owner may have ${WEBHOOKS_MAX} webhooks; delete one first`, {
      limit: 'max_webhooks',
      max: WEBHOOKS_MAX,
    })
  }
  const agentIds = input.agentIds ? unique(input.agentIds) : null
  await checkAgents(store, ownerId, agentIds)
  const at = sources.now()
  const id = sources.newId()
  const secret = newSecret()
  const webhook: WebhookRow = {
    ...HEALTHY,
    id,
    ownerId,
    sealedUrl: sealedUrl(sources, id, input.url),
    events: unique(input.events),
    agentIds,
    description: input.description || null,
    sealedSecret: seal(sources, id, secret),
    sealedPrevious: null,
    previousUntil: null,
    createdAt: at,
    updatedAt: at,
  }
  await store.webhooks.insert(webhook)
  return { webhook, secret }
}

/** The subscription, if it belongs to this owner. */
export async function ownWebhook(store: Store, ownerId: string, id: string): Promise<WebhookRow> {
  return checkOwner(await store.webhooks.find(id), ownerId)
}

/** The same, locked until the transaction ends. */
export async function lockOwnWebhook(
  store: Store,
  ownerId: string,
  id: string,
): Promise<WebhookRow> {
  return checkOwner(await store.webhooks.find(id, { lock: 'wait' }), ownerId)
}

function checkOwner(webhook: WebhookRow | null, ownerId: string): WebhookRow {
  if (!webhook) {
    throw notFound('webhook')
  }
  if (webhook.ownerId !== ownerId) {
    throw forbidden('this webhook belongs to another owner')
  }
  return webhook
}

export async function updateWebhook(
  store: Store,
  sources: WebhookSources,
  webhook: WebhookRow,
  patch: WebhookPatch,
): Promise<WebhookRow> {
  const { url, events, description, agentIds, status } = patch
  if (Object.values(patch).every((value) => value === undefined)) {
    return webhook
  }
  if (agentIds !== undefined) {
    await checkAgents(store, webhook.ownerId, agentIds)
  }
  const now = sources.now()
  const health = statusPatch(webhook, status, now)
  const changed: WebhookRow = {
    ...webhook,
    ...health,
    sealedUrl: url === undefined ? webhook.sealedUrl : sealedUrl(sources, webhook.id, url),
    events: events ? unique(events) : webhook.events,
    description: description === undefined ? webhook.description : description || null,
    agentIds: agentIds === undefined ? webhook.agentIds : agentIds && unique(agentIds),
    updatedAt: now,
  }
  await store.webhooks.update(changed)
  // The receiver is back: pending deliveries are attempted now.
  if (status === 'active') {
    await store.deliveries.retryNow(webhook.id, now)
  }
  return changed
}

function statusPatch(webhook: WebhookRow, status: WebhookPatch['status'], now: number) {
  if (status === 'active') {
    return HEALTHY
  }
  if (status === undefined || webhook.status === 'disabled') {
    return {}
  }
  return { status, notBefore: null, changedAt: now, reason: null }
}

/** Sets a new secret. The previous one signs as well for a day. */
export async function rotateSecret(
  store: Store,
  sources: WebhookSources,
  webhook: WebhookRow,
): Promise<{ readonly secret: string; readonly previousUntil: number }> {
  const secret = newSecret()
  const now = sources.now()
  const previousUntil = now + OVERLAP_MS
  await store.webhooks.update({
    ...webhook,
    sealedSecret: seal(sources, webhook.id, secret),
    sealedPrevious: webhook.sealedSecret,
    previousUntil,
    updatedAt: now,
  })
  return { secret, previousUntil }
}

/** The address that notifications are posted to. */
export function urlOf({ vault }: WebhookSources, { id, sealedUrl }: WebhookRow): string {
  return Buffer.from(vault.open(sealedUrl, urlName(id))).toString()
}

function sealedUrl(sources: WebhookSources, id: string, url: string): Uint8Array {
  return sources.vault.seal(Buffer.from(checkedUrl(sources, url)), urlName(id))
}

function checkedUrl({ policy }: WebhookSources, url: string): string {
  const check = checkPublicUrl(url, createPolicy(policy.webhookAllow))
  if (check.ok) {
    return check.url
  }
  throw invalidField('url', check.message, 'url_not_allowed')
}

/** A filter on an unknown agent would silently match nothing. */
export async function checkAgents(
  store: Store,
  ownerId: string,
  agentIds: readonly string[] | null,
): Promise<void> {
  if (agentIds === null) {
    return
  }
  const agentStates = await store.scores.findMany(agentIds)
  const issues = agentIds.flatMap((id, i) =>
    agentStates.get(id)?.ownerId === ownerId
      ? []
      : [{ path: `agentIds.${i}`, code: 'invalid', message: 'is not an agent of this owner' }],
  )
  if (issues.length > 0) {
    throw invalid(issues)
  }
}

export function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}

function seal({ vault }: WebhookSources, id: string, secret: string): Uint8Array {
  return vault.seal(Buffer.from(secret), secretName(id))
}

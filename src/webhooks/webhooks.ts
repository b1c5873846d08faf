import type { Context } from '../context.ts'
import { createPolicy } from '../delivery/address.ts'
import { secretName } from '../delivery/deliver.ts'
import { HEALTHY } from '../delivery/schedule.ts'
import { newSecret } from '../delivery/sign.ts'
import { checkWebhookUrl } from '../delivery/url.ts'
import { forbidden, invalid, invalidField, notFound, TrustError } from '../domain/error.ts'
import { type NotificationFilter, TEST_TYPE } from '../domain/notification.ts'
import type { DeliveryRow, Store, WebhookRow } from '../store/store.ts'

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

/** Every notice is matched against each of them; Stripe's number is sixteen. */
export const WEBHOOKS_MAX = 20

/** A day to bring the new secret to every receiver. */
const OVERLAP_MS = 24 * 3_600_000

/** Queued again in one transaction: a second of work at most. */
const RECOVERED_MAX = 5_000

/** A new subscription of this owner, and its secret, which is not shown again. */
export async function createWebhook(
  store: Store,
  context: Context,
  ownerId: string,
  input: WebhookInput,
): Promise<{ readonly webhook: WebhookRow; readonly secret: string }> {
  // The owner is locked, so that two at once can't both take the last place.
  if (!(await store.owners.lock(ownerId))) {
    throw notFound('owner')
  }
  if ((await store.webhooks.count(ownerId)) >= WEBHOOKS_MAX) {
    throw forbidden(`an owner may have ${WEBHOOKS_MAX} webhooks; delete one first`, {
      limit: 'max_webhooks',
      max: WEBHOOKS_MAX,
    })
  }
  const agentIds = input.agentIds ? unique(input.agentIds) : null
  await checkAgents(store, ownerId, agentIds)
  const at = context.now()
  const id = context.newId()
  const secret = newSecret()
  const webhook: WebhookRow = {
    ...HEALTHY,
    id,
    ownerId,
    url: checkedUrl(context, input.url),
    events: unique(input.events),
    agentIds,
    description: input.description || null,
    sealedSecret: seal(context, id, secret),
    sealedPrevious: null,
    previousUntil: null,
    createdAt: at,
    updatedAt: at,
  }
  await store.webhooks.insert(webhook)
  return { webhook, secret }
}

/** The subscription, if it is this owner's. */
export async function ownWebhook(store: Store, ownerId: string, id: string): Promise<WebhookRow> {
  return checkOwner(await store.webhooks.find(id), ownerId)
}

/** The same, locked until the transaction ends. */
export async function lockOwnWebhook(
  store: Store,
  ownerId: string,
  id: string,
): Promise<WebhookRow> {
  return checkOwner(await store.webhooks.lock(id), ownerId)
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
  context: Context,
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
  const now = context.now()
  const health = statusPatch(webhook, status, now)
  const changed: WebhookRow = {
    ...webhook,
    ...health,
    url: url === undefined ? webhook.url : checkedUrl(context, url),
    events: events ? unique(events) : webhook.events,
    description: description === undefined ? webhook.description : description || null,
    agentIds: agentIds === undefined ? webhook.agentIds : agentIds && unique(agentIds),
    updatedAt: now,
  }
  await store.webhooks.update(changed)
  // Whoever resumes it says that the receiver is back: nothing waits for its next attempt.
  if (status === 'active') {
    await store.webhooks.retryNow(webhook.id, now)
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

/** A new secret; the one before signs too for a day, the one before that no longer. */
export async function rotateSecret(
  store: Store,
  context: Context,
  webhook: WebhookRow,
): Promise<{ readonly secret: string; readonly previousUntil: number }> {
  const secret = newSecret()
  const now = context.now()
  const previousUntil = now + OVERLAP_MS
  await store.webhooks.update({
    ...webhook,
    sealedSecret: seal(context, webhook.id, secret),
    sealedPrevious: webhook.sealedSecret,
    previousUntil,
    updatedAt: now,
  })
  return { secret, previousUntil }
}

/** Queues a notice that tells nothing, whatever the subscription asks for. */
export async function sendTest(
  store: Store,
  { now }: Context,
  webhook: WebhookRow,
): Promise<DeliveryRow> {
  checkNotDisabled(webhook)
  const { id, ownerId } = webhook
  const notification = { ownerId, type: TEST_TYPE, data: { webhookId: id }, createdAt: now() }
  return existing(store, id, await store.deliveries.insertFor(id, notification))
}

/** Queues a delivery again; one that still waits for its next attempt is tried now. */
export async function redeliver(
  store: Store,
  { now }: Context,
  webhook: WebhookRow,
  deliveryId: string,
): Promise<DeliveryRow> {
  const delivery = await existing(store, webhook.id, deliveryId)
  checkNotDisabled(webhook)
  await store.deliveries.redeliver(webhook.id, delivery.number, now())
  return existing(store, webhook.id, deliveryId)
}

/** Queues again what was not delivered since then. */
export async function recover(
  store: Store,
  { now }: Context,
  webhook: WebhookRow,
  since: number,
): Promise<{ readonly recovered: number; readonly complete: boolean }> {
  checkNotDisabled(webhook)
  const recovered = await store.deliveries.resend(webhook, since, now(), RECOVERED_MAX)
  return { recovered, complete: recovered < RECOVERED_MAX }
}

export async function existing(store: Store, webhookId: string, id: string): Promise<DeliveryRow> {
  const delivery = await store.deliveries.find(webhookId, id)
  if (!delivery) {
    throw notFound('delivery')
  }
  return delivery
}

function checkNotDisabled({ status }: WebhookRow): void {
  if (status !== 'disabled') {
    return
  }
  throw new TrustError('CONFLICT', 'this webhook is disabled; set its status to active first', {
    status,
  })
}

function checkedUrl({ policy }: Context, url: string): string {
  const check = checkWebhookUrl(url, createPolicy(policy.webhookAllow))
  if (check.ok) {
    return check.url
  }
  throw invalidField('url', check.message, 'url_not_allowed')
}

/** A filter on an agent that is not there would silently tell nothing. */
export async function checkAgents(
  store: Store,
  ownerId: string,
  agentIds: readonly string[] | null,
): Promise<void> {
  if (agentIds === null) {
    return
  }
  const own = await store.agents.ownedBy(ownerId, agentIds)
  const issues = agentIds.flatMap((id, i) =>
    own.has(id)
      ? []
      : [{ path: `agentIds.${i}`, code: 'invalid', message: 'is not an agent of yours' }],
  )
  if (issues.length > 0) {
    throw invalid(issues)
  }
}

export function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}

function seal({ vault }: Context, id: string, secret: string): Uint8Array {
  return vault.seal(Buffer.from(secret), secretName(id))
}

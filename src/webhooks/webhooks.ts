import { lockAccount } from '../auth/lock-account.ts'
import { HEALTHY } from '../delivery/health.ts'
import { secretName } from '../delivery/sealed.ts'
import { checkLimit, notFound, ofOtherOwner } from '../domain/error.ts'
import { newIdLike, testIdOf } from '../domain/mode.ts'
import type { NotificationFilter } from '../domain/notification.ts'
import { DAY_MS } from '../domain/time.ts'
import type { Sources } from '../lib/sources.ts'
import { newSecret } from '../lib/standard-webhooks.ts'
import type { FindOptions, MemberRow, Store, WebhookFormat, WebhookRow } from '../store/store.ts'
import { checkAgents, checkedEvents, unique } from './filters.ts'
import { sealedUrl, type TargetSources, urlOf } from './target.ts'

/** What webhooks are created and changed with. */
export interface WebhookSources extends Sources, TargetSources {}

/** The account of a subscription. */
export interface WebhookHolder {
  readonly kind: 'owner' | 'platform'
  readonly id: string
}

export interface WebhookInput {
  readonly format: WebhookFormat
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
  holder: WebhookHolder,
  input: WebhookInput,
): Promise<{ readonly webhook: WebhookRow; readonly secret: string }> {
  const { id: ownerId } = holder
  await lockAccount(store, holder)
  const { rows: webhooks } = await store.webhooks.list(ownerId, null, WEBHOOKS_MAX)
  const refusal = `an account may have ${WEBHOOKS_MAX} webhooks; delete one first`
  checkLimit('max_webhooks', webhooks.length, WEBHOOKS_MAX, refusal)
  const agentIds = input.agentIds ? unique(input.agentIds) : null
  await checkAgents(store, ownerId, agentIds)
  const at = sources.now()
  const id = newIdLike(ownerId, sources.newId)
  const secret = newSecret()
  const webhook: WebhookRow = {
    ...HEALTHY,
    id,
    ownerId,
    format: input.format,
    sealedUrl: await sealedUrl(store, sources, { id, ownerId, format: input.format }, input.url),
    events: checkedEvents(input.format, input.events),
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

/** The subscription, if it belongs to this account. */
export async function ownWebhook(
  store: Store,
  ownerId: string,
  id: string,
  options?: FindOptions,
): Promise<WebhookRow> {
  const webhook = await store.webhooks.find({ id }, options)
  if (!webhook) {
    throw notFound('webhook')
  }
  if (webhook.ownerId !== ownerId) {
    throw ofOtherOwner('this webhook belongs to another account')
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
    sealedUrl:
      url === undefined ? webhook.sealedUrl : await sealedUrl(store, sources, webhook, url),
    events: events ? checkedEvents(webhook.format, events) : webhook.events,
    description: description === undefined ? webhook.description : description || null,
    agentIds: agentIds === undefined ? webhook.agentIds : agentIds && unique(agentIds),
    updatedAt: now,
  }
  await store.webhooks.update({ id: webhook.id }, changed)
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

/**
 * Deletes the subscriptions that mail to a person, of the account and of its test account. The caller has locked
 * both, so that none is created meanwhile.
 */
export async function deleteMailsTo(
  store: Store,
  sources: WebhookSources,
  { ownerId, email }: Pick<MemberRow, 'ownerId' | 'email'>,
): Promise<void> {
  for (const accountId of [ownerId, testIdOf(ownerId)]) {
    const { rows } = await store.webhooks.list(accountId, null, WEBHOOKS_MAX)
    for (const { id } of rows.filter(({ format }) => format === 'mail')) {
      // Locked before its address is read: a simultaneous request may be changing it.
      const webhook = await store.webhooks.find({ id }, { lock: 'wait' })
      if (webhook && urlOf(sources, webhook) === `mailto:${email}`) {
        await store.webhooks.delete({ id })
      }
    }
  }
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
  const { id, sealedSecret: sealedPrevious } = webhook
  const sealedSecret = seal(sources, id, secret)
  await store.webhooks.update(
    { id },
    { sealedSecret, sealedPrevious, previousUntil, updatedAt: now },
  )
  return { secret, previousUntil }
}

function seal({ vault }: TargetSources, id: string, secret: string): Uint8Array {
  return vault.seal(Buffer.from(secret), secretName(id))
}

import { HEALTHY } from '../delivery/health.ts'
import { secretName, urlName } from '../delivery/sealed.ts'
import { newSecret } from '../delivery/sign.ts'
import { checkLimit, forbidden, invalid, invalidField, notFound } from '../domain/error.ts'
import { newIdLike, testIdOf } from '../domain/mode.ts'
import type { NotificationFilter } from '../domain/notification.ts'
import { DAY_MS } from '../domain/time.ts'
import type { Sources } from '../lib/sources.ts'
import type { Vault } from '../lib/vault.ts'
import { createPolicy } from '../outbound/address.ts'
import { checkPublicUrl } from '../outbound/url.ts'
import type { FindOptions, Store, WebhookFormat, WebhookRow } from '../store/store.ts'

/** What webhooks are created and changed with. */
export interface WebhookSources extends Sources {
  readonly vault: Vault
  /** Address ranges that webhooks may reach besides public ones. */
  readonly settings: { readonly webhookAllow: readonly string[]; readonly mail: unknown }
}

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
  await lockHolder(store, holder)
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

/** The account is locked, so that two simultaneous requests cannot exceed the maximum. */
async function lockHolder(store: Store, { kind, id }: WebhookHolder): Promise<void> {
  const { owners, platforms } = store
  const found =
    kind === 'owner'
      ? await owners.find(id, { lock: 'wait' })
      : await platforms.find(id, { lock: 'wait' })
  if (!found) {
    throw notFound(kind)
  }
}

/** The subscription, if it belongs to this account. */
export async function ownWebhook(
  store: Store,
  ownerId: string,
  id: string,
  options?: FindOptions,
): Promise<WebhookRow> {
  const webhook = await store.webhooks.find(id, options)
  if (!webhook) {
    throw notFound('webhook')
  }
  if (webhook.ownerId !== ownerId) {
    throw forbidden('this webhook belongs to another account')
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

type Addressed = Pick<WebhookRow, 'id' | 'ownerId' | 'format'>

async function sealedUrl(
  store: Store,
  sources: WebhookSources,
  { id, ownerId, format }: Addressed,
  url: string,
): Promise<Uint8Array> {
  const checked =
    format === 'mail'
      ? await checkedAddress(store, sources, ownerId, url)
      : checkedUrl(sources, url)
  return sources.vault.seal(Buffer.from(checked), urlName(id))
}

/** Mails go only to people of the account who confirmed that the address is theirs. */
async function checkedAddress(
  store: Store,
  { settings }: WebhookSources,
  ownerId: string,
  url: string,
): Promise<string> {
  if (!settings.mail) {
    throw invalidField('format', 'cannot be mail: the service sends no mail (SMTP_URL)', 'no_mail')
  }
  const address = /^mailto:([^?,]+)$/.exec(url)?.[1]?.toLowerCase() ?? ''
  const member = address === '' ? null : await store.members.find({ email: address })
  // The people of an account are those of its test account.
  const accounts = member ? [member.ownerId, testIdOf(member.ownerId)] : []
  if (!member || member.emailConfirmedAt === null || !accounts.includes(ownerId)) {
    const message = 'must be mailto: and the confirmed e-mail address of a member of the account'
    throw invalidField('url', message, 'address_not_allowed')
  }
  return `mailto:${member.email}`
}

/** What may come every second is no mail. */
const NOT_BY_MAIL: readonly NotificationFilter[] = ['*', 'score.changed', 'event.ingested']

function checkedEvents(
  format: WebhookFormat,
  events: readonly NotificationFilter[],
): readonly NotificationFilter[] {
  const issues = events.flatMap((type, i) =>
    format === 'mail' && NOT_BY_MAIL.includes(type)
      ? [
          {
            path: `events.${i}`,
            code: 'invalid',
            message: `${type} is too frequent to be sent by mail`,
          },
        ]
      : [],
  )
  if (issues.length > 0) {
    throw invalid(issues)
  }
  return unique(events)
}

function checkedUrl({ settings }: WebhookSources, url: string): string {
  const addresses = createPolicy(settings.webhookAllow)
  const check = checkPublicUrl(url, addresses)
  if (check.ok) {
    return check.url
  }
  // It is refused for where it is, and not for how it is reached.
  const { ok: isPublic } = checkPublicUrl(url.replace(/^http:/, 'https:'), addresses)
  const message = isPublic ? check.message : `${check.message}${WAY_TO_PRIVATE_HOSTS}`
  throw invalidField('url', message, 'url_not_allowed')
}

const WAY_TO_PRIVATE_HOSTS =
  '. A receiver on your own machine gets notifications by `standing webhooks listen --forward-to URL`; ' +
  'the operator opens private networks to webhooks by STANDING_WEBHOOK_ALLOW'

/** A filter on an unknown agent would silently match nothing. */
export async function checkAgents(
  store: Store,
  ownerId: string,
  agentIds: readonly string[] | null,
): Promise<void> {
  if (agentIds === null) {
    return
  }
  const agentStates = await store.agentStates.findMany(agentIds)
  const watched = await store.watches.find(ownerId, agentIds)
  const message = 'is neither an agent of this account nor one that it watches'
  const issues = agentIds.flatMap((id, i) =>
    agentStates.get(id)?.ownerId === ownerId || watched.has(id)
      ? []
      : [{ path: `agentIds.${i}`, code: 'invalid', message }],
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

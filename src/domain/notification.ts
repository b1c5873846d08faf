import type { AgentStatus, RecordedEvent, ReviewDecision, Trigger } from './agent.ts'
import type { Credential } from './credential.ts'
import type { Disputed } from './dispute.ts'
import { isSelfReported } from './event.ts'
import type { Identifier } from './identifier.ts'
import { type Classification, classify } from './tiers.ts'
import type { Transfer } from './transfer.ts'

export const NOTIFICATION_TYPES = [
  'score.changed',
  'score.tier_changed',
  'event.ingested',
  'event.quarantined',
  'event.reviewed',
  'credential.issued',
  'credential.revoked',
  'agent.status_changed',
  'agent.transferred',
  'identifier.verified',
  'identifier.failing',
  'identifier.lapsed',
] as const

export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** What a subscription may ask for: one of the types, or all of them. */
export type NotificationFilter = NotificationType | '*'

/** Sent on request, to the subscription that is tried; no subscription names it. */
export const TEST_TYPE = 'webhook.test'

/** The id of a notification, made of a UUID. */
export function notificationId(uuid: string): string {
  return `evt_${uuid.replaceAll('-', '')}`
}

/** A message about a change, for the subscriptions of an owner. `data` is the body's `data` on the wire. */
export interface Notification {
  readonly ownerId: string
  readonly agentId: string
  readonly type: NotificationType
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: number
}

export interface ScoreMove {
  readonly agentId: string
  readonly ownerId: string
  readonly previousScore: number
  readonly newScore: number
  readonly wasDisputed: boolean
  readonly disputed: Disputed
  readonly exposureLimit: number | null
  readonly triggeredBy: Trigger
  readonly createdAt: number
}

export function scoreNotifications(move: ScoreMove): readonly Notification[] {
  const { agentId, ownerId, previousScore, newScore, triggeredBy, createdAt } = move
  const { wasDisputed, disputed, exposureLimit } = move
  if (previousScore === newScore && wasDisputed === disputed.isDisputed) {
    return []
  }
  const before: Classification = classify(previousScore)
  const classification: Classification = classify(newScore)
  const scores = { previousScore, newScore, classification, disputed, exposureLimit }
  const data = { agentId, ...scores, triggeredBy }
  const changed: Notification = { ownerId, agentId, type: 'score.changed', data, createdAt }
  if (before === classification) {
    return [changed]
  }
  const tier = { ...data, previousClassification: before }
  return [changed, { ...changed, type: 'score.tier_changed', data: tier }]
}

/** Every accepted event causes one; a quarantined event causes a second. */
export function eventNotifications(ownerId: string, event: RecordedEvent): readonly Notification[] {
  const { agentId, createdAt } = event
  const data = {
    agentId,
    eventId: event.id,
    type: event.type,
    isSelfReported: isSelfReported(event),
    isQuarantined: event.isQuarantined,
    fraudFlags: event.fraudFlags,
    quarantineReason: event.quarantineReason,
  }
  const ingested: Notification = { ownerId, agentId, type: 'event.ingested', data, createdAt }
  return event.isQuarantined ? [ingested, { ...ingested, type: 'event.quarantined' }] : [ingested]
}

export function statusNotification(change: {
  readonly ownerId: string
  readonly agentId: string
  readonly previousStatus: AgentStatus
  readonly status: AgentStatus
  readonly reason: string | null
  readonly createdAt: number
}): Notification {
  const { ownerId, agentId, createdAt, previousStatus, status, reason } = change
  const data = { agentId, previousStatus, status, reason }
  return { ownerId, agentId, type: 'agent.status_changed', data, createdAt }
}

/** Notifies the former owner and the new one. */
export function transferNotifications(
  { id: transferId, agentId, fromOwnerId, toOwnerId }: Transfer & { readonly toOwnerId: string },
  createdAt: number,
): readonly Notification[] {
  const type = 'agent.transferred'
  const data = { agentId, transferId, fromOwnerId, toOwnerId }
  return [
    { ownerId: fromOwnerId, agentId, type, data: { ...data, direction: 'out' }, createdAt },
    { ownerId: toOwnerId, agentId, type, data: { ...data, direction: 'in' }, createdAt },
  ]
}

/**
 * What a notification says to those who watch an agent of another account: what anyone may read of it
 * anyway. Null where nothing of it is public.
 */
export function publicDataOf({ type, data }: Notification): Notification['data'] | null {
  switch (type) {
    case 'score.changed':
    case 'score.tier_changed':
      return data
    case 'agent.status_changed':
      return { ...data, reason: null }
    case 'agent.transferred':
      // Both owners are notified, those who watch the agent once.
      return data.direction === 'in' ? { agentId: data.agentId } : null
    case 'identifier.verified':
    case 'identifier.lapsed':
      return { ...data, problem: null }
    default:
      return null
  }
}

/** A name was proven, can no longer be proven for now, or is no longer the agent's. */
export function identifierNotification(
  change: 'verified' | 'failing' | 'lapsed',
  ownerId: string,
  { id, agentId, type, value, problem }: Identifier,
  createdAt: number,
): Notification {
  const data = { agentId, identifierId: id, type, value, problem }
  return { ownerId, agentId, type: `identifier.${change}`, data, createdAt }
}

export function reviewNotification(
  { id, agentId, type }: RecordedEvent,
  review: {
    readonly ownerId: string
    readonly decision: ReviewDecision
    readonly reason: string
    readonly createdAt: number
  },
): Notification {
  const { ownerId, decision, reason, createdAt } = review
  const data = { agentId, eventId: id, type, decision, reason }
  return { ownerId, agentId, type: 'event.reviewed', data, createdAt }
}

export function credentialIssued(credential: Credential): Notification {
  const { ownerId, agentId, id, issuedAt, type, expiresAt } = credential
  const data = { agentId, credentialId: id, type, expiresAt: timeOrNull(expiresAt) }
  return { ownerId, agentId, type: 'credential.issued', data, createdAt: issuedAt }
}

export function credentialRevoked(credential: Credential, createdAt: number): Notification {
  const { ownerId, agentId, id, type, revocationReason: reason, revokedAt } = credential
  const data = { agentId, credentialId: id, type, reason, revokedAt: timeOrNull(revokedAt) }
  return { ownerId, agentId, type: 'credential.revoked', data, createdAt }
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

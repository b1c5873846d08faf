import type { AgentStatus } from './agents.ts'
import type { EventType, ReviewDecision } from './events.ts'
import type { Classification, Snapshot } from './scores.ts'
import type { ListQuery, Timestamp } from './wire.ts'

export type NotificationType =
  | 'score.changed'
  | 'score.tier_changed'
  | 'event.ingested'
  | 'event.quarantined'
  | 'event.reviewed'
  | 'credential.issued'
  | 'credential.revoked'
  | 'agent.status_changed'

/** Nobody subscribes to `webhook.test`: it is sent by `webhooks.test`. */
export type DeliveredType = NotificationType | 'webhook.test'

/** What a notification of each type tells. */
export interface NotificationData {
  readonly 'score.changed': ScoreChange
  readonly 'score.tier_changed': TierChange
  readonly 'event.ingested': EventNotice
  readonly 'event.quarantined': EventNotice
  readonly 'event.reviewed': ReviewNotice
  readonly 'credential.issued': IssueNotice
  readonly 'credential.revoked': RevocationNotice
  readonly 'agent.status_changed': StatusNotice
  readonly 'webhook.test': { readonly webhookId: string }
}

/** The body of a delivery: `type` says what `data` is. A later service may know further types. */
export type Notification<T extends DeliveredType = DeliveredType> = {
  [Type in T]: {
    /** `evt_…`; the same on every repeat, so that a receiver can tell one. */
    readonly id: string
    readonly type: Type
    readonly timestamp: Timestamp
    readonly data: NotificationData[Type]
  }
}[T]

interface OfAgent {
  readonly agentId: string
}
export interface ScoreChange extends OfAgent {
  readonly previousScore: number
  readonly newScore: number
  readonly classification: Classification
  readonly triggeredBy: Snapshot['trigger']
}
export interface TierChange extends ScoreChange {
  readonly previousClassification: Classification
}
export interface EventNotice extends OfAgent {
  readonly eventId: string
  readonly type: EventType
  readonly isSelfReported: boolean
  readonly isQuarantined: boolean
  readonly fraudFlags: readonly string[]
  readonly quarantineReason: string | null
}
export interface ReviewNotice extends OfAgent {
  readonly eventId: string
  readonly type: EventType
  readonly decision: ReviewDecision
  readonly reason: string
}
export interface IssueNotice extends OfAgent {
  readonly credentialId: string
  readonly type: string
  readonly expiresAt: Timestamp | null
}
export interface RevocationNotice extends OfAgent {
  readonly credentialId: string
  readonly type: string
  readonly reason: string | null
  readonly revokedAt: Timestamp | null
}
export interface StatusNotice extends OfAgent {
  readonly previousStatus: AgentStatus
  readonly status: AgentStatus
  readonly reason: string | null
}
export type WebhookStatus = 'active' | 'paused' | 'disabled'

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly (NotificationType | '*')[]
  /** Null: all of the owner's agents. */
  readonly agentIds: readonly string[] | null
  readonly description: string | null
  /** Five failures in a row pause it (what is told waits), ten or an answer of 410 disable it. */
  readonly status: WebhookStatus
  readonly statusReason: 'failing' | 'gone' | null
  readonly statusChangedAt: Timestamp | null
  readonly consecutiveFailures: number
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}
/** The secret (`whsec_…`) is told this once and never again. */
export interface WebhookWithSecret extends Webhook {
  readonly secret: string
}
export interface WebhookInput {
  readonly url: string
  readonly events: readonly (NotificationType | '*')[]
  readonly description?: string | null | undefined
  /** Only what is told of these agents, at most 100. */
  readonly agentIds?: readonly string[] | null | undefined
}
/** `status: 'active'` resumes a paused or disabled subscription. */
export type WebhookPatch = Partial<WebhookInput> & {
  readonly status?: 'active' | 'disabled' | undefined
}
/** Until then each notification carries a signature of the secret before as well. */
export interface RotatedSecret {
  readonly secret: string
  readonly previousSecretExpiresAt: Timestamp
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** A notification on its way to a subscription, and what came of it. Kept for 30 days. */
export interface WebhookDelivery {
  /** The notification's `evt_…`, which is the `webhook-id` too. */
  readonly id: string
  readonly webhookId: string
  readonly type: DeliveredType
  readonly agentId: string | null
  readonly status: DeliveryStatus
  readonly attemptCount: number
  readonly nextAttemptAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly finishedAt: Timestamp | null
}
export interface WebhookAttempt {
  readonly at: Timestamp
  readonly outcome: 'delivered' | 'failed' | 'gone' | 'throttled'
  /** Of HTTP; null where no answer came. */
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly responseStart: string
}
export interface WebhookDeliveryDetails extends WebhookDelivery {
  readonly data: Readonly<Record<string, unknown>>
  readonly attempts: readonly WebhookAttempt[]
}
export type DeliveryQuery = ListQuery & { readonly status?: DeliveryStatus | undefined }

/** `complete` is false where there is more to recover than one call queues. */
export interface Recovered {
  readonly recovered: number
  readonly complete: boolean
}

export type ListenInput = Pick<WebhookInput, 'events' | 'agentIds'>

/** Ends ten minutes after it was last asked. */
export interface Listener {
  readonly id: string
  readonly events: readonly (NotificationType | '*')[]
  readonly agentIds: readonly string[] | null
  readonly expiresAt: Timestamp
}
export type NoticesQuery = ListQuery & { readonly waitSeconds?: number | undefined }

export interface NoticesPage {
  readonly data: readonly Notification[]
  /** Ask with it next; null until something was told. */
  readonly nextCursor: string | null
}

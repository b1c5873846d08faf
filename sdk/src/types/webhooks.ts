import type { Classification } from './scores.ts'
import type { Timestamp } from './wire.ts'

export type NotificationType =
  | 'score.changed'
  | 'score.tier_changed'
  | 'event.ingested'
  | 'event.quarantined'
  | 'event.reviewed'
  | 'credential.issued'
  | 'credential.revoked'
  | 'agent.status_changed'

/** The body of a delivery. For `score.changed`, `data` is a `ScoreChange`. */
export interface Notification<D = Readonly<Record<string, unknown>>> {
  /** `evt_…`; the same on every repeat, so that a receiver can tell one. */
  readonly id: string
  readonly type: NotificationType
  readonly timestamp: Timestamp
  readonly data: D
}
export interface ScoreChange {
  readonly agentId: string
  readonly previousScore: number
  readonly newScore: number
  readonly classification: Classification
  readonly triggeredBy: unknown
}
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly (NotificationType | '*')[]
  readonly description: string | null
  readonly status: 'active' | 'paused' | 'disabled'
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
  readonly description?: string | undefined
}
/** `status: 'active'` resumes a paused or disabled subscription. */
export type WebhookPatch = Partial<WebhookInput> & { readonly status?: 'active' | undefined }

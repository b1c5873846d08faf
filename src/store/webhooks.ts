import type { NotificationFilter } from '../domain/notification.ts'
import type { ById, Listed, Rows } from './rows.ts'

/** The health of a subscription. `delivery/health.ts` decides how it changes. */
export interface WebhookHealth {
  readonly status: 'active' | 'paused' | 'disabled'
  readonly consecutiveFailures: number
  /** Nothing is sent before this time: a Retry-After while active, the next probe while paused. */
  readonly notBefore: number | null
  /** When it last left `active`. */
  readonly changedAt: number | null
  readonly reason: 'failing' | 'gone' | null
}

/** The form of what is sent: signed JSON, a message for a chat, or a mail. */
export const WEBHOOK_FORMATS = ['standard', 'slack', 'teams', 'discord', 'mail'] as const

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

export interface WebhookRow extends WebhookHealth {
  readonly id: string
  /** The account: an owner or a platform. */
  readonly ownerId: string
  readonly sealedUrl: Uint8Array
  readonly events: readonly NotificationFilter[]
  /** Null: every agent of the owner, and each that it watches. */
  readonly agentIds: readonly string[] | null
  readonly description: string | null
  readonly format: WebhookFormat
  readonly sealedSecret: Uint8Array
  /** The secret before the last rotation, which signs as well until then. */
  readonly sealedPrevious: Uint8Array | null
  readonly previousUntil: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Webhooks. To one that is deleted nothing more is sent, and its secrets are gone at once, also from the answer. */
export type WebhookStore = Pick<Rows<WebhookRow, ById>, 'insert' | 'find' | 'update' | 'delete'> &
  Listed<WebhookRow, string>

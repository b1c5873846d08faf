import type { Listed, Rows } from './rows.ts'
import type { WebhookRow } from './webhooks.ts'

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One attempt as it is stored. */
export interface AttemptRecord {
  readonly at: number
  readonly outcome: 'delivered' | 'failed' | 'gone' | 'throttled'
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly responseStart: string
}

/** A notification on its way to a subscription. */
export interface DeliveryRow {
  /** The id of the notification, `evt_…`. */
  readonly id: string
  readonly number: number
  readonly webhookId: string
  readonly type: string
  readonly agentId: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly status: DeliveryStatus
  /** Null once it is no longer pending. */
  readonly nextAttemptAt: number | null
  readonly attempts: number
  /** The latest attempts, oldest first. */
  readonly log: readonly AttemptRecord[]
  readonly createdAt: number
  readonly finishedAt: number | null
}

export type DeliveryKey = Pick<DeliveryRow, 'webhookId' | 'id'>

/** The deliveries of a subscription, of any status by default. */
export interface DeliveriesOf {
  readonly webhookId: string
  readonly status?: DeliveryStatus | undefined
}

/** A notification for one subscription, of any type. */
export interface DirectNotification {
  readonly webhookId: string
  readonly id: string
  readonly ownerId: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: number
}

/** Deliveries, by their numbers, as the owner of a subscription sees them; `delivery-queue.ts` is how they are sent. */
export interface DeliveryStore
  extends Pick<Rows<DeliveryRow, DeliveryKey, never>, 'find'>,
    Pick<Rows<DirectNotification, never>, 'insert'>,
    Listed<DeliveryRow, DeliveriesOf, number> {
  /**
   * Queues one again, outside the order of its agent: it waits for no other and delays none. One that
   * is pending keeps its place, and the first delivery of its agent is attempted now.
   */
  redeliver(webhookId: string, number: number, now: number): Promise<void>
  /** Attempts now what waits for its next attempt. */
  retryNow(webhookId: string, now: number): Promise<void>
  /**
   * Queues again, in their order, the notifications for this subscription since `since` that failed or
   * were never queued; at most `limit`. Answers how many.
   */
  resend(webhook: WebhookRow, since: number, now: number, limit: number): Promise<number>
}

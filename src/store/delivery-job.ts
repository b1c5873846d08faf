import type { WebhookFormat } from './webhooks.ts'

/** One notification for one subscription, with the fields that the dispatcher needs. */
export interface Job {
  readonly id: string
  readonly subscriptionId: string
  /** Jobs of one subscription with the same key are sent one after the other; null: in any order. */
  readonly orderingKey: string | null
  /** Attempts since it was last queued: its position in the retry schedule. */
  readonly scheduledAttempts: number
  /** When the schedule has its next attempt, where its owner asked for this one; otherwise null. */
  readonly plannedAt: number | null
}

/** A claimed job with all that is needed to send it, and to record its attempt. */
export interface DeliveryJob extends Job {
  readonly orderingKey: string
  /** `evt_…`: the `webhook-id`, the same for all attempts. */
  readonly notificationId: string
  readonly number: number
  readonly type: string
  /** JSON. */
  readonly data: string
  readonly createdAt: number
  readonly format: WebhookFormat
  /** The display name of the agent, if it is about one. */
  readonly agentName: string | null
  readonly sealedUrl: Uint8Array
  readonly sealedSecret: Uint8Array
  readonly sealedPrevious: Uint8Array | null
  readonly previousUntil: number | null
  /** Attempts in all. */
  readonly attempts: number
  /** Shows the queue whether the job is still claimed by this node. */
  readonly claim: number
}

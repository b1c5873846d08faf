import type { Job } from './delivery-store.ts'

/** A claimed job with all that is needed to send it, and to say later what came of it. */
export interface DeliveryJob extends Job {
  readonly lane: string
  /** `evt_…`: the `webhook-id`, the same over all attempts. */
  readonly notificationId: string
  readonly number: number
  readonly type: string
  /** JSON. */
  readonly data: string
  readonly createdAt: number
  readonly url: string
  readonly sealedSecret: Uint8Array
  readonly sealedPrevious: Uint8Array | null
  readonly previousUntil: number | null
  /** Attempts made since it was queued, and ever. */
  readonly tries: number
  readonly attempts: number
  /** When it would have been its turn, if its owner asked for it out of turn; null if nobody did. */
  readonly plannedAt: number | null
  /** By which the store knows that the job is still this node's. */
  readonly claim: number
}

import type { AttemptRecord, DeliveryStatus } from './deliveries.ts'
import type { Job } from './delivery-job.ts'
import type { WebhookHealth } from './webhooks.ts'

export interface ClaimRequest {
  readonly now: number
  readonly limit: number
  /** Jobs claimed at most for each subscription not named in `quotas`. */
  readonly quota: number
  /** Jobs claimed at most for these. */
  readonly quotas: ReadonlyMap<string, number>
  /** When the claim of a job that is not recorded ends. */
  readonly claimedUntil: number
  /** Until then no other probe of a paused subscription is claimed. */
  readonly probedUntil: number
}

export interface Claimed<J extends Job> {
  readonly jobs: readonly J[]
  /** When the next job falls due that is not due at `now` (a retry, a probe); null if none does. */
  readonly nextAt: number | null
}

/** What an attempt makes of its delivery. */
export interface AttemptWrite<J extends Job> {
  readonly job: J
  readonly status: DeliveryStatus
  readonly nextAttemptAt: number
  readonly scheduledAttempts: number
  readonly endedAt: number
  readonly record: AttemptRecord
}

export interface RecordDecision<J extends Job> {
  readonly attempts: readonly AttemptWrite<J>[]
  /** Of the subscriptions whose health changes. */
  readonly health: ReadonlyMap<string, WebhookHealth>
}

/**
 * The queue of deliveries as one node sees it. Any number of nodes may share one. A job that is claimed
 * is given to no other claim until it is recorded or returned, or the claim ends.
 */
export interface DeliveryQueue<J extends Job> {
  /**
   * Claims due jobs. Those with one ordering key come in order and without gaps, and only while no
   * earlier one is open outside this answer. Of a paused subscription only its probe is claimed. Where
   * the limit cuts, every subscription has had its turn.
   */
  claim(request: ClaimRequest): Promise<Claimed<J>>
  /**
   * Records attempts in one transaction: reads the health of their subscriptions, locked where it
   * changes, writes what `decide` makes of it, and returns the jobs that were not sent to the queue.
   * `decide` is pure: it may run again. A subscription that was deleted has no health.
   */
  record<D extends RecordDecision<J>>(
    batch: RecordBatch<J>,
    decide: (health: HealthById) => D,
  ): Promise<Recorded<D>>
  /** Keeps this node alive for so long, and frees the claims of dead nodes. Whether there were any. */
  heartbeat(aliveMs: number): Promise<boolean>
  /** Removes this node, so that the others take over what it returned. */
  deregister(): Promise<void>
  /** Deletes a bounded part of what is older than `before`. Whether there may be more. */
  prune(before: number): Promise<boolean>
}

export interface Recorded<D> {
  readonly decision: D
  /** Whether a claim may now find what it did not find before. */
  readonly more: boolean
}

export type HealthById = ReadonlyMap<string, WebhookHealth>

export interface RecordBatch<J extends Job> {
  readonly attempted: readonly J[]
  readonly returned: readonly J[]
}

import type { Attempt } from './attempt.ts'

/** One notice on its way to one subscription. The store adds what its `send` needs. */
export interface Job {
  readonly id: string
  readonly subscriptionId: string
  /** Those of one subscription and lane (an agent's id) go one after the other; null: freely. */
  readonly lane: string | null
}

export interface Done<J extends Job> {
  readonly job: J
  readonly attempt: Attempt
  /** Epoch milliseconds. */
  readonly endedAt: number
}

export interface ClaimRequest {
  readonly now: number
  readonly limit: number
  /** At most so many for each subscription not named in `shares`. */
  readonly share: number
  /** At most so many for these; of a receiver that hangs a node wants few, of one with enough 0. */
  readonly shares: ReadonlyMap<string, number>
}

export interface Claimed<J extends Job> {
  readonly jobs: readonly J[]
  /** When something waiting falls due that is not due yet (a retry, a probe): after `now`. */
  readonly nextAt: number | null
}

/** What of the store the pump knows. Any number of nodes may share one. */
export interface DeliveryStore<J extends Job> {
  /**
   * Due jobs of subscriptions that may be sent to, each then kept from every other claim for
   * CLAIM_MS or until it is recorded. Those of a lane come in order and without gaps, and only
   * while no earlier job of the lane is undone outside this answer. Of a paused subscription
   * only its probe. Fair: where the limit cuts, every subscription has had its turn.
   */
  claim(request: ClaimRequest): Promise<Claimed<J>>
  /**
   * Writes the attempts (and by them the next attempt, the subscription's health) and gives back
   * the jobs that were claimed but not sent, in one transaction.
   */
  record(done: readonly Done<J>[], back: readonly J[]): Promise<Recorded>
}

export interface Recorded {
  /** Of the subscriptions recorded, those that are to be sent nothing more for now. */
  readonly closed: readonly string[]
  /** Whether a claim may now find what it did not before: a lane's next, or what was given back. */
  readonly more: boolean
}

/**
 * How long a claim holds: longer than any job waits in a node. A node keeps at most two rounds of
 * a slow receiver's places, its attempts take 15 seconds, and the first that gets no answer gives
 * the rest back. A node that dies is noticed sooner (NODE_ALIVE_MS); this is for one that lives on
 * and has lost count.
 */
export const CLAIM_MS = 120_000

/** What keeps a store of deliveries in order beside the claims. */
export interface Upkeep {
  /** Says that this node lives, and frees what dead ones hold. Whether there was any. */
  beat(): Promise<boolean>
  /** Says that this node is gone. */
  leave(): Promise<void>
  /** Clears away a bounded part of what is older than `before`; whether there may be more. */
  prune(before: number): Promise<boolean>
}

/** Four beats may fail to arrive before a node counts as dead: a stall of the disk is none. */
export const BEAT_MS = 4_000
export const NODE_ALIVE_MS = 5 * BEAT_MS

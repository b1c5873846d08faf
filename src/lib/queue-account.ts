import type { Refusable } from './paced-refusals.ts'

/** A piece of work that waits for room. */
export interface Waiting extends Refusable {
  readonly weight: number
  readonly since: number
  /** Nothing else of its key was running or waiting when it came. */
  readonly isLone: boolean
  readonly start: () => void
}

/** The work of one key in a queue. */
export interface Account {
  readonly key: string
  running: number
  readonly waiting: Waiting[]
  /** Lately: the weight in progress over time, and the weight of what ended. */
  weightMs: number
  ended: number
}

export function newAccount(key: string): Account {
  return { key, running: 0, waiting: [], weightMs: 0, ended: 0 }
}

/**
 * A queue is crowded while something has been waiting all the time for longer than `waitMaxMs`: then each
 * wait is longer, and no more work is done. The only piece of its key may still wait the whole time.
 */
export interface CrowdedOptions {
  readonly waitMaxMs: number
  /**
   * How long waiting and work may take together. How long the work of each key takes is measured, and what
   * is left of this time bounds its wait, to no less than `waitMinMs`.
   */
  readonly totalMs: number
  readonly waitMinMs: number
}

interface WaitOptions {
  readonly waitMaxMs: number
  readonly crowded?: CrowdedOptions
}

/** What was measured a second ago counts half of what is measured now. */
const HALF_LIFE_MS = 1_000

/**
 * Adds the time since the last measurement. By Little's law, what is in progress is what ends in a time, times how
 * long each takes.
 */
export function measure(account: Account, elapsedMs: number): void {
  const kept = 0.5 ** (elapsedMs / HALF_LIFE_MS)
  account.weightMs = account.weightMs * kept + account.running * elapsedMs
  account.ended *= kept
}

/** How long the work of an account may wait while the queue is crowded. */
export function crowdedWaitMs(
  { weightMs, ended }: Account,
  { crowded, waitMaxMs }: WaitOptions,
): number {
  if (crowded === undefined) {
    return waitMaxMs
  }
  const workMs = weightMs === 0 ? 0 : weightMs / ended
  return Math.min(crowded.waitMaxMs, Math.max(crowded.waitMinMs, crowded.totalMs - workMs))
}

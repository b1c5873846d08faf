import type { Attempt } from './attempt.ts'
import { type ConcurrencyWindow, NEW_WINDOW, SLOW_MS } from './concurrency-window.ts'
import type { Job } from './delivery-store.ts'

/** The jobs of one subscription that a node has claimed. Mutable; lines.ts owns it. */
export interface SubscriptionQueue<J extends Job> {
  readonly id: string
  waiting: J[]
  /** When each job in flight was started; the first is the oldest. */
  readonly started: Map<J, number>
  readonly busyLanes: Set<string>
  pace: ConcurrencyWindow
  isSlow: boolean
  /** The store may have more: the last claim gave all that was asked for, or was not asked. */
  hasMore: boolean
}

/** Two rounds of its places: one in flight, the next at hand. */
const ROUNDS = 2

/** What is claimed for a subscription before anything is known of it. */
export const NEW_SHARE = ROUNDS * NEW_WINDOW.limit

export function createSubscriptionQueue<J extends Job>(
  id: string,
  pace: ConcurrencyWindow,
): SubscriptionQueue<J> {
  const none = { started: new Map<J, number>(), busyLanes: new Set<string>() }
  return { id, waiting: [], ...none, pace, isSlow: !pace.isQuick, hasMore: false }
}

/** Whether no answer has come soon, of late or of the oldest in flight. */
export function seemsSlow<J extends Job>(line: SubscriptionQueue<J>, now: number): boolean {
  const [oldest = now] = line.started.values()
  return !line.pace.isQuick || now - oldest > SLOW_MS
}

/** How many jobs may wait here: of the slow few, since the claim on them runs out. */
export function waitingMax<J extends Job>(line: SubscriptionQueue<J>, claimed: number): number {
  return line.isSlow ? Math.min(ROUNDS * line.pace.limit, claimed) : claimed
}

/** How many to claim: none before half of what may wait is gone, so that claims are few. */
export function shareOf<J extends Job>(line: SubscriptionQueue<J>, claimed: number): number {
  const max = waitingMax(line, claimed)
  return line.waiting.length >= max / 2 ? 0 : max - line.waiting.length
}

/** Takes the next job of a lane that has none in flight, and counts it as started. */
export function startNext<J extends Job>(line: SubscriptionQueue<J>, now: number): J | null {
  if (line.started.size >= line.pace.limit) {
    return null
  }
  const index = line.waiting.findIndex(({ lane }) => lane === null || !line.busyLanes.has(lane))
  const [job] = index < 0 ? [] : line.waiting.splice(index, 1)
  if (job === undefined) {
    return null
  }
  line.started.set(job, now)
  if (job.lane !== null) {
    line.busyLanes.add(job.lane)
  }
  return job
}

export function end<J extends Job>(line: SubscriptionQueue<J>, job: J) {
  line.started.delete(job)
  if (job.lane !== null) {
    line.busyLanes.delete(job.lane)
  }
}

/**
 * Takes out what must not follow this attempt. A failed job holds up its lane alone; after one
 * that got no answer, or was told to wait or to stop, nothing follows.
 */
export function takeBlocked<J extends Job>(
  line: SubscriptionQueue<J>,
  job: J,
  attempt: Attempt,
): readonly J[] {
  if (attempt.outcome === 'delivered') {
    return []
  }
  if (attempt.outcome !== 'failed' || attempt.status === null) {
    return take(line, () => true)
  }
  return take(line, ({ lane }) => lane !== null && lane === job.lane)
}

/** Takes out, from the end, what is more than may wait: each lane stays in order. */
export function takeExcess<J extends Job>(
  line: SubscriptionQueue<J>,
  claimed: number,
): readonly J[] {
  return line.waiting.splice(waitingMax(line, claimed))
}

export function take<J extends Job>(
  line: SubscriptionQueue<J>,
  isTaken: (job: J) => boolean,
): readonly J[] {
  const taken = line.waiting.filter(isTaken)
  line.waiting = line.waiting.filter((job) => !isTaken(job))
  return taken
}

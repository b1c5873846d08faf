import type { Job } from '../store/delivery-job.ts'
import type { Attempt } from './attempt.ts'
import { type ConcurrencyWindow, NEW_WINDOW, SLOW_MS } from './concurrency-window.ts'

/** The jobs of one subscription that a node has claimed. Mutable; subscription-queues.ts owns it. */
export interface SubscriptionQueue<J extends Job> {
  readonly id: string
  waiting: J[]
  /** When each job in flight was started; the first is the oldest. */
  readonly started: Map<J, number>
  /** The ordering keys of the jobs in flight. */
  readonly keysInFlight: Set<string>
  window: ConcurrencyWindow
  /** Whether its slots count as those of a slow receiver. Set by turns.ts. */
  isSlow: boolean
  /** The store may have more: the last claim answered the whole quota, or the quota was 0. */
  hasMore: boolean
}

/** Two rounds of its slots: one in flight, the next one claimed. */
const ROUNDS = 2

/** The quota of a subscription of which nothing is known yet. */
export const NEW_QUOTA = ROUNDS * NEW_WINDOW.limit

export function createSubscriptionQueue<J extends Job>(
  id: string,
  window: ConcurrencyWindow,
): SubscriptionQueue<J> {
  const empty = { started: new Map<J, number>(), keysInFlight: new Set<string>() }
  return { id, waiting: [], ...empty, window, isSlow: window.isSlow, hasMore: false }
}

/** Jobs waiting and in flight. */
export function sizeOf<J extends Job>(queue: SubscriptionQueue<J>): number {
  return queue.waiting.length + queue.started.size
}

/** Whether its last response was late, or the oldest attempt in flight has none yet. */
export function seemsSlow<J extends Job>(queue: SubscriptionQueue<J>, now: number): boolean {
  const [oldest = now] = queue.started.values()
  return queue.window.isSlow || now - oldest > SLOW_MS
}

/** How many jobs may wait here: few for a slow receiver, since their claim ends. */
function waitingMax<J extends Job>(queue: SubscriptionQueue<J>, claimed: number): number {
  return queue.isSlow ? Math.min(ROUNDS * queue.window.limit, claimed) : claimed
}

/** How many jobs to claim: none before half of those that may wait are gone, so that claims are few. */
export function quotaOf<J extends Job>(queue: SubscriptionQueue<J>, claimed: number): number {
  const max = waitingMax(queue, claimed)
  return queue.waiting.length >= max / 2 ? 0 : max - queue.waiting.length
}

/** Takes the next job whose ordering key is not in flight, and counts it as started. */
export function startNext<J extends Job>(queue: SubscriptionQueue<J>, now: number): J | null {
  if (queue.started.size >= queue.window.limit) {
    return null
  }
  const index = queue.waiting.findIndex(
    ({ orderingKey }) => orderingKey === null || !queue.keysInFlight.has(orderingKey),
  )
  const [job] = index < 0 ? [] : queue.waiting.splice(index, 1)
  if (job === undefined) {
    return null
  }
  queue.started.set(job, now)
  if (job.orderingKey !== null) {
    queue.keysInFlight.add(job.orderingKey)
  }
  return job
}

/** The job is no longer in flight. */
export function end<J extends Job>(queue: SubscriptionQueue<J>, job: J) {
  queue.started.delete(job)
  if (job.orderingKey !== null) {
    queue.keysInFlight.delete(job.orderingKey)
  }
}

/**
 * Takes out the jobs that must not follow this attempt. A job that failed blocks those with its
 * ordering key; after no response, a 429 or a 410 nothing follows.
 */
export function takeBlocked<J extends Job>(
  queue: SubscriptionQueue<J>,
  job: J,
  attempt: Attempt,
): readonly J[] {
  if (attempt.outcome === 'delivered') {
    return []
  }
  if (attempt.outcome !== 'failed' || attempt.status === null) {
    return takeAll(queue)
  }
  return take(queue, ({ orderingKey }) => orderingKey !== null && orderingKey === job.orderingKey)
}

/** Takes out, from the end, the jobs beyond those that may wait: each ordering key keeps its order. */
export function takeExcess<J extends Job>(
  queue: SubscriptionQueue<J>,
  claimed: number,
): readonly J[] {
  return queue.waiting.splice(waitingMax(queue, claimed))
}

export function takeAll<J extends Job>(queue: SubscriptionQueue<J>): readonly J[] {
  return queue.waiting.splice(0)
}

/** Takes out the jobs with one of these ordering keys. */
export function takeWith<J extends Job>(
  queue: SubscriptionQueue<J>,
  orderingKeys: ReadonlySet<string>,
): readonly J[] {
  return take(queue, ({ orderingKey }) => orderingKey !== null && orderingKeys.has(orderingKey))
}

function take<J extends Job>(
  queue: SubscriptionQueue<J>,
  isTaken: (job: J) => boolean,
): readonly J[] {
  const taken = queue.waiting.filter(isTaken)
  queue.waiting = queue.waiting.filter((job) => !isTaken(job))
  return taken
}

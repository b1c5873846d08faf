import type { Job } from '../store/delivery-job.ts'
import type { Attempt } from './attempt.ts'
import { type ClaimQuotas, claimQuotas } from './claim-quotas.ts'
import { createConcurrencyWindows, windowAfter } from './concurrency-window.ts'
import {
  createSubscriptionQueue,
  quotaOf,
  type SubscriptionQueue,
  seemsSlow,
  sizeOf,
  takeAll,
  takeBlocked,
  takeExcess,
  takeWith,
} from './subscription-queue.ts'
import { createTurns } from './turns.ts'

export interface DispatchLimits {
  /** Slots: attempts in flight on this node. */
  readonly total: number
  /** Of these, for one subscription. */
  readonly perSubscription: number
  /** Jobs of a healthy subscription that wait in the node. */
  readonly claimed: number
}

/**
 * The jobs that a node has claimed, in one queue for each subscription. Slow and new receivers share half
 * of the slots and half of the jobs in the node; the other halves are for healthy ones. Times in ms.
 */
export interface SubscriptionQueues<J extends Job> {
  /** What to claim now for which subscription. */
  readonly quotas: () => ClaimQuotas
  /** Adds the jobs claimed for the last quotas. */
  readonly add: (jobs: readonly J[]) => void
  /** The next job to send now, from then on in flight; null if none may start. */
  readonly next: (now: number) => J | null
  /** Ends an attempt. Returns the jobs that must not follow it, which go back to the store. */
  readonly finish: (job: J, attempt: Attempt, now: number) => readonly J[]
  /** Takes out everything that waits for these subscriptions, or for all. */
  readonly clear: (subscriptionIds?: readonly string[]) => readonly J[]
  /** Takes out what waits for these subscriptions, and what has one of these as its ordering key. */
  readonly recall: (ids: readonly string[]) => readonly J[]
  /** Finds receivers that have become slow. Returns the jobs that go back to the store. */
  readonly sweep: (now: number) => readonly J[]
  /** Jobs waiting and in flight. */
  readonly size: () => number
  /** Whether a subscription that may have more in the store has room for it here. */
  readonly runsLow: (subscriptionId: string) => boolean
}

/** Jobs in the node for each slot: enough in memory that no slot waits for the store. */
export const JOBS_PER_SLOT = 2

export function createSubscriptionQueues<J extends Job>(
  limits: DispatchLimits,
): SubscriptionQueues<J> {
  const queues = new Map<string, SubscriptionQueue<J>>()
  const windows = createConcurrencyWindows()
  const turns = createTurns<J>(limits.total)
  let requested: ClaimQuotas = { quota: 0, quotas: new Map() }

  function quotas(): ClaimQuotas {
    requested = claimQuotas({
      queues: [...queues.values()],
      healthyIds: windows.healthy,
      slowJobsMax: (JOBS_PER_SLOT * limits.total) / 2,
      waitingMax: limits.claimed,
    })
    return requested
  }

  function add(jobs: readonly J[]) {
    const counts = new Map<string, number>()
    for (const job of jobs) {
      const queue = queueOf(job.subscriptionId)
      queue.waiting.push(job)
      turns.add(queue)
      counts.set(queue.id, (counts.get(queue.id) ?? 0) + 1)
    }
    for (const queue of queues.values()) {
      const quota = requested.quotas.get(queue.id) ?? requested.quota
      queue.hasMore = (counts.get(queue.id) ?? 0) >= quota
      dropEmpty(queue)
    }
  }

  function queueOf(id: string): SubscriptionQueue<J> {
    const queue = queues.get(id) ?? createSubscriptionQueue<J>(id, windows.of(id))
    queues.set(id, queue)
    return queue
  }

  function finish(job: J, attempt: Attempt, now: number): readonly J[] {
    const queue = queueOf(job.subscriptionId)
    turns.end(queue, job)
    queue.window = windowAfter(queue.window, attempt, limits.perSubscription)
    windows.learn(queue.id, queue.window)
    turns.add(queue)
    const returned = [...takeBlocked(queue, job, attempt), ...reassess(queue, now)]
    dropEmpty(queue)
    return returned
  }

  function reassess(queue: SubscriptionQueue<J>, now: number): readonly J[] {
    turns.setSlow(queue, seemsSlow(queue, now))
    return takeExcess(queue, limits.claimed)
  }

  function clear(ids: readonly string[] = [...queues.keys()]): readonly J[] {
    return ids.flatMap((id) => {
      const queue = queues.get(id)
      if (queue === undefined) {
        return []
      }
      const taken = takeAll(queue)
      dropEmpty(queue)
      return taken
    })
  }

  function recall(ids: readonly string[]): readonly J[] {
    const recalled = new Set(ids)
    return [...queues.values()].flatMap((queue) => {
      const taken = recalled.has(queue.id) ? takeAll(queue) : takeWith(queue, recalled)
      dropEmpty(queue)
      return taken
    })
  }

  function dropEmpty(queue: SubscriptionQueue<J>) {
    if (sizeOf(queue) === 0 && !queue.hasMore) {
      queues.delete(queue.id)
      turns.remove(queue)
    }
  }

  return {
    quotas,
    add,
    next: turns.next,
    finish,
    clear,
    recall,
    sweep: (now) => [...queues.values()].flatMap((queue) => reassess(queue, now)),
    size: () => [...queues.values()].reduce((sum, queue) => sum + sizeOf(queue), 0),
    runsLow: (id) => {
      const queue = queues.get(id)
      return queue?.hasMore === true && quotaOf(queue, limits.claimed) > 0
    },
  }
}

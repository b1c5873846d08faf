import type { Job } from '../store/delivery-job.ts'
import type { ClaimRequest } from '../store/delivery-queue.ts'
import type { Attempt } from './attempt.ts'
import { createConcurrencyWindows, windowAfter } from './concurrency-window.ts'
import * as one from './subscription-queue.ts'

export interface DispatchLimits {
  /** Slots: attempts in flight on this node. */
  readonly total: number
  /** Of these, for one subscription. */
  readonly perSubscription: number
  /** Jobs of a healthy subscription that wait in the node. */
  readonly claimed: number
}

export type Quotas = Pick<ClaimRequest, 'quota' | 'quotas'>

/**
 * The jobs that a node has claimed, in one queue for each subscription. Queues take turns, one job
 * each, so that none waits for the length of another. Slow and new receivers share half of the slots
 * and half of the jobs in the node; the other halves are for healthy ones. Times in ms.
 */
export interface SubscriptionQueues<J extends Job> {
  /** What to claim now for which subscription. */
  readonly quotas: () => Quotas
  /** Adds the jobs claimed for the last quotas. */
  readonly add: (jobs: readonly J[]) => void
  /** The next job to send now, from then on in flight; null if none may start. */
  readonly next: (now: number) => J | null
  /** Ends an attempt. Returns the jobs that must not follow it, which go back to the store. */
  readonly finish: (job: J, attempt: Attempt, now: number) => readonly J[]
  /** Takes out everything that waits for these subscriptions, or for all. */
  readonly clear: (subscriptionIds?: readonly string[]) => readonly J[]
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
  const queues = new Map<string, one.SubscriptionQueue<J>>()
  const windows = createConcurrencyWindows()
  /** Queues that may have a job to start, in the order of their turns. */
  const ready = new Set<one.SubscriptionQueue<J>>()
  let requested: Quotas = { quota: 0, quotas: new Map() }
  let inFlight = 0
  let slowInFlight = 0

  function quotas(): Quotas {
    const all = [...queues.values()]
    const slowJobs = all.reduce((sum, queue) => sum + (queue.isSlow ? sizeOf(queue) : 0), 0)
    const isCrowded = slowJobs >= (JOBS_PER_SLOT * limits.total) / 2
    const quota = isCrowded ? 0 : one.NEW_QUOTA
    // A subscription without a quota of its own counts as new. Where new ones get nothing, the healthy
    // ones need a quota of their own.
    const healthy = isCrowded ? windows.healthy().map((id) => [id, one.NEW_QUOTA] as const) : []
    const known = all.map((queue) => {
      const isLeftOut = queue.isSlow && isCrowded
      return [queue.id, isLeftOut ? 0 : one.quotaOf(queue, limits.claimed)] as const
    })
    requested = { quota, quotas: new Map([...healthy, ...known]) }
    return requested
  }

  function add(jobs: readonly J[]) {
    const counts = new Map<string, number>()
    for (const job of jobs) {
      const queue = queueOf(job.subscriptionId)
      queue.waiting.push(job)
      ready.add(queue)
      counts.set(queue.id, (counts.get(queue.id) ?? 0) + 1)
    }
    for (const queue of queues.values()) {
      const quota = requested.quotas.get(queue.id) ?? requested.quota
      queue.hasMore = (counts.get(queue.id) ?? 0) >= quota
      dropEmpty(queue)
    }
  }

  function queueOf(id: string): one.SubscriptionQueue<J> {
    const queue = queues.get(id) ?? one.createSubscriptionQueue<J>(id, windows.of(id))
    queues.set(id, queue)
    return queue
  }

  function next(now: number): J | null {
    for (const queue of ready) {
      if (inFlight >= limits.total) {
        return null
      }
      if (queue.isSlow && slowInFlight >= limits.total / 2) {
        continue
      }
      const job = one.startNext(queue, now)
      ready.delete(queue)
      if (job === null) {
        continue
      }
      ready.add(queue)
      inFlight += 1
      if (queue.isSlow) {
        slowInFlight += 1
      }
      return job
    }
    return null
  }

  function finish(job: J, attempt: Attempt, now: number): readonly J[] {
    const queue = queueOf(job.subscriptionId)
    one.end(queue, job)
    inFlight -= 1
    if (queue.isSlow) {
      slowInFlight -= 1
    }
    queue.window = windowAfter(queue.window, attempt, limits.perSubscription)
    windows.learn(queue.id, queue.window)
    ready.add(queue)
    const returned = [...one.takeBlocked(queue, job, attempt), ...reassess(queue, now)]
    dropEmpty(queue)
    return returned
  }

  function reassess(queue: one.SubscriptionQueue<J>, now: number): readonly J[] {
    const isSlow = one.seemsSlow(queue, now)
    if (isSlow !== queue.isSlow) {
      slowInFlight += isSlow ? queue.started.size : -queue.started.size
    }
    queue.isSlow = isSlow
    return one.takeExcess(queue, limits.claimed)
  }

  function clear(ids: readonly string[] = [...queues.keys()]): readonly J[] {
    return ids.flatMap((id) => {
      const queue = queues.get(id)
      if (queue === undefined) {
        return []
      }
      const taken = one.take(queue, () => true)
      dropEmpty(queue)
      return taken
    })
  }

  function dropEmpty(queue: one.SubscriptionQueue<J>) {
    if (sizeOf(queue) > 0 || queue.hasMore) {
      return
    }
    queues.delete(queue.id)
    ready.delete(queue)
  }

  return {
    quotas,
    add,
    next,
    finish,
    clear,
    sweep: (now) => [...queues.values()].flatMap((queue) => reassess(queue, now)),
    size: () => [...queues.values()].reduce((sum, queue) => sum + sizeOf(queue), 0),
    runsLow: (id) => {
      const queue = queues.get(id)
      return queue?.hasMore === true && one.quotaOf(queue, limits.claimed) > 0
    },
  }
}

function sizeOf<J extends Job>(queue: one.SubscriptionQueue<J>): number {
  return queue.waiting.length + queue.started.size
}

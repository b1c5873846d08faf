import { startInterval } from '../lib/interval.ts'
import type { Job } from '../store/delivery-job.ts'
import type { DeliveryQueue } from '../store/delivery-queue.ts'
import type { Attempt } from './attempt.ts'
import { type ClaimResult, createClaimLoop } from './claim-loop.ts'
import { SLOW_MS } from './concurrency-window.ts'
import { PROBE_INTERVAL_MS } from './health.ts'
import { noResponse } from './post.ts'
import { CLAIM_MS, createRecorder, type Recorded } from './recorder.ts'
import {
  createSubscriptionQueues,
  type DispatchLimits,
  JOBS_PER_SLOT,
} from './subscription-queues.ts'

export interface DispatcherOptions<J extends Job> {
  readonly queue: Pick<DeliveryQueue<J>, 'claim' | 'record'>
  /** Signs and posts one job. Null: it was cancelled, and is returned without an attempt. */
  readonly send: (job: J) => Promise<Attempt | null>
  /** The queue failed, or `send` did; the dispatcher continues. */
  readonly onError: (error: unknown) => void
  /** Epoch milliseconds. */
  readonly now?: () => number
  /** Gives [0, 1), for the jitter of retries. */
  readonly random?: () => number
  readonly limits?: Partial<DispatchLimits>
  /** The longest time without a claim: what finds jobs that no `wake` announced. */
  readonly idleMs?: number
  /** The pause after the queue failed. */
  readonly retryMs?: number
}

export interface Dispatcher {
  /** There may be something to send. Cheap: many calls at once make one claim. */
  readonly wake: () => void
  /**
   * The jobs of these subscriptions, or with one of these as their ordering key, have changed in the queue, or all
   * have: those that wait here go back to it. Attempts that have begun go on.
   */
  readonly recall: (ids: readonly string[] | null) => void
  /** Starts nothing more, returns what waits, and resolves when the rest is recorded. */
  readonly stop: () => Promise<void>
}

const LIMITS: DispatchLimits = {
  // Sockets and bodies of some tens of KiB each: bounded memory, and far more than healthy ones need.
  total: 1000,
  // The load on one receiver: docs/webhooks.md documents it for receivers.
  perSubscription: 10,
  // Measured: a single healthy receiver then gets half as much again as with 64, for a third of the
  // claims. At its slowest that still counts as healthy it takes 26 s for them, far below CLAIM_MS.
  claimed: 256,
}

/** A job that no `wake` announced is found this late at most. */
const IDLE_MS = 5000

/** A database that failed is back within seconds, or needs no more load. */
const RETRY_MS = 1000

/** How often receivers are checked for having become slow: soon after they have. */
const SWEEP_MS = SLOW_MS / 4

/**
 * Moves jobs from the queue to their receivers: claims, sends and records, each at its own pace.
 * A node has a bounded number of jobs, and a receiver that hangs has few of the slots
 * (concurrency-window.ts, turns.ts), so that it delays no other. Call `wake` once to start.
 */
export function createDispatcher<J extends Job>(options: DispatcherOptions<J>): Dispatcher {
  const { queue, send, onError, now = Date.now, random = Math.random } = options
  const { idleMs = IDLE_MS, retryMs = RETRY_MS } = options
  const limits = { ...LIMITS, ...options.limits }
  const jobsMax = JOBS_PER_SLOT * limits.total
  const queues = createSubscriptionQueues<J>(limits)
  const recorder = createRecorder<J>({ queue, now, random, onError, retryMs, onRecorded })
  const room = () => jobsMax - queues.size() - recorder.pending()
  // A quarter of the slots at most: the quotas are computed again before more is claimed.
  const claimMax = Math.ceil(limits.total / 4)
  const claims = createClaimLoop({ claim, room, claimMax, now, idleMs, retryMs, onError })
  const running = new Set<Promise<void>>()
  /** What was recalled since the claim in progress began, which may have read it before; null: no claim. */
  let recalledMeanwhile: (readonly string[] | null)[] | null = null
  let isStopping = false
  const sweeper = startInterval({ everyMs: SWEEP_MS, work: sweep })

  async function claim(limit: number): Promise<ClaimResult> {
    const at = now()
    const until = { claimedUntil: at + CLAIM_MS, probedUntil: at + PROBE_INTERVAL_MS }
    const recalled: (readonly string[] | null)[] = []
    recalledMeanwhile = recalled
    try {
      const { jobs, nextAt } = await queue.claim({ now: at, limit, ...queues.quotas(), ...until })
      queues.add(jobs)
      for (const ids of recalled) {
        giveBack(ids)
      }
      fill()
      return { count: jobs.length, nextAt }
    } finally {
      recalledMeanwhile = null
    }
  }

  function recall(ids: readonly string[] | null) {
    recalledMeanwhile?.push(ids)
    giveBack(ids)
  }

  function giveBack(ids: readonly string[] | null) {
    recorder.add([], ids === null ? queues.clear() : queues.recall(ids))
  }

  function fill() {
    while (!isStopping) {
      const job = queues.next(now())
      if (job === null) {
        return
      }
      const run: Promise<void> = attempt(job).then(() => void running.delete(run))
      running.add(run)
    }
  }

  async function attempt(job: J) {
    const outcome = await sent(job)
    if (outcome === null) {
      return recorder.add([], [job])
    }
    const endedAt = now()
    const returned = queues.finish(job, outcome, endedAt)
    recorder.add([{ job, attempt: outcome, endedAt }], returned)
    fill()
    if (queues.runsLow(job.subscriptionId)) {
      claims.wake()
    }
    claims.wakeIfRoom()
  }

  async function sent(job: J): Promise<Attempt | null> {
    try {
      return await send(job)
    } catch (error) {
      onError(error)
      return noResponse('could not be sent')
    }
  }

  function onRecorded({ closed, more }: Recorded) {
    recorder.add([], queues.clear(closed))
    if (more) {
      claims.wake()
    }
    claims.wakeIfRoom()
  }

  function sweep() {
    recorder.add([], queues.sweep(now()))
    fill()
  }

  async function stop() {
    isStopping = true
    await sweeper.stop()
    await claims.stop()
    recorder.add([], queues.clear())
    while (running.size > 0) {
      await Promise.all(running)
    }
    await recorder.stop()
  }

  return { wake: claims.wake, recall, stop }
}

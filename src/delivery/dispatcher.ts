import { startInterval } from '../lib/interval.ts'
import { pause } from '../lib/pause.ts'
import type { Job } from '../store/delivery-job.ts'
import type { DeliveryQueue } from '../store/delivery-queue.ts'
import type { Attempt } from './attempt.ts'
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

const IDLE_MS = 5000
const RETRY_MS = 1000

/** From one claim to the next: a hundred a second at most, too short to be noticed. */
const CLAIM_GAP_MS = 10

/** A retry may be this late, so that a wrong `nextAt` never makes the timer spin. */
const TIMER_MIN_MS = 50

/** How often receivers are checked for having become slow: soon after they have. */
const SWEEP_MS = SLOW_MS / 4

/**
 * Moves jobs from the queue to their receivers: claims, sends and records, each at its own pace.
 * A node has a bounded number of jobs, and a receiver that hangs has few of the slots
 * (concurrency-window.ts, subscription-queues.ts), so that it delays no other. Call `wake` once to start.
 */
export function createDispatcher<J extends Job>(options: DispatcherOptions<J>): Dispatcher {
  const { queue, send, onError, now = Date.now, random = Math.random } = options
  const { idleMs = IDLE_MS, retryMs = RETRY_MS } = options
  const limits = { ...LIMITS, ...options.limits }
  const jobsMax = JOBS_PER_SLOT * limits.total
  const queues = createSubscriptionQueues<J>(limits)
  const recorder = createRecorder<J>({ queue, now, random, onError, retryMs, onRecorded })
  const running = new Set<Promise<void>>()
  let isStopping = false
  let isWanted = false
  /** The last claim was cut by its limit. */
  let isCut = false
  let claiming: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  const sweeper = startInterval({ everyMs: SWEEP_MS, work: sweep })

  function wake() {
    isWanted = true
    if (claiming === null && !isStopping) {
      claiming = claimAll()
    }
  }

  async function claimAll() {
    while (isWanted && !isStopping && jobs() < jobsMax) {
      isWanted = false
      await claim()
      if (!isCut) {
        await pause(CLAIM_GAP_MS)
      }
    }
    claiming = null
    // What found no room is claimed when there is room again.
    isCut ||= isWanted
    if (isWanted) {
      wakeIn(idleMs)
    }
  }

  async function claim() {
    // A quarter at most: the quotas are computed again before more is claimed.
    const limit = Math.min(jobsMax - jobs(), Math.ceil(limits.total / 4))
    const at = now()
    const until = { claimedUntil: at + CLAIM_MS, probedUntil: at + PROBE_INTERVAL_MS }
    try {
      const claimed = await queue.claim({ now: at, limit, ...queues.quotas(), ...until })
      isCut = claimed.jobs.length >= limit
      isWanted ||= isCut
      queues.add(claimed.jobs)
      wakeAt(claimed.nextAt)
      fill()
    } catch (error) {
      onError(error)
      isCut = false
      wakeIn(retryMs)
    }
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
    if (queues.runsLow(job.subscriptionId) || hasRoom()) {
      wake()
    }
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
    if (more || hasRoom()) {
      wake()
    }
  }

  /** Room worth a claim, for what the last one had to leave. */
  function hasRoom(): boolean {
    return isCut && jobsMax - jobs() >= limits.total / 4
  }

  function jobs(): number {
    return queues.size() + recorder.pending()
  }

  function sweep() {
    recorder.add([], queues.sweep(now()))
    fill()
  }

  function wakeAt(at: number | null) {
    wakeIn(at === null ? idleMs : Math.min(idleMs, Math.max(TIMER_MIN_MS, at - now())))
  }

  function wakeIn(ms: number) {
    clearTimeout(timer)
    if (!isStopping) {
      timer = setTimeout(wake, ms).unref()
    }
  }

  async function stop() {
    isStopping = true
    clearTimeout(timer)
    await sweeper.stop()
    await claiming
    recorder.add([], queues.clear())
    while (running.size > 0) {
      await Promise.all(running)
    }
    await recorder.stop()
  }

  return { wake, stop }
}

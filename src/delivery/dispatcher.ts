import type { Attempt } from './attempt.ts'
import { SLOW_MS } from './concurrency-window.ts'
import type { DeliveryStore, Job } from './delivery-store.ts'
import { unanswered } from './post.ts'
import { createRecorder } from './recorder.ts'
import { createLines, HELD_PER_PLACE, type LineLimits } from './subscription-queues.ts'

export interface DispatcherOptions<J extends Job> {
  readonly store: DeliveryStore<J>
  /** Signs and posts one job. Null: it was given up on the way, and is given back untold. */
  readonly send: (job: J) => Promise<Attempt | null>
  /** The store failed, or `send` did; the pump goes on. */
  readonly onError: (error: unknown) => void
  /** Epoch milliseconds. */
  readonly now?: () => number
  readonly limits?: Partial<LineLimits>
  /** The longest the store is left unasked: the safety net under `wake`. */
  readonly idleMs?: number
  /** Before a store that failed is asked again. */
  readonly retryMs?: number
}

export interface Dispatcher {
  /** There may be something to send. Cheap: many at once make one claim. */
  readonly wake: () => void
  /** Starts nothing more, gives back what only waits, and resolves when the rest is recorded. */
  readonly stop: () => Promise<void>
}

const LIMITS: LineLimits = {
  // Sockets and bodies of some tens of KiB each: bounded memory, and far more than the quick need.
  total: 1000,
  // What one receiver is asked to bear at once: docs/webhooks.md says so to those who build them.
  perSubscription: 10,
  // Measured: a lone quick receiver then gets half as much again as with 64, for a third of the
  // claims. At its slowest that still counts as quick it takes 26 s for them, far from CLAIM_MS.
  claimed: 256,
}

const IDLE_MS = 5000
const RETRY_MS = 1000

/** From one claim to the next: a hundred a second at most, and nobody sees the wait. */
const GAP_MS = 10

/** A retry may be this late, so a wrong `nextAt` can never make the timer hot. */
const TIMER_MIN_MS = 50

/** How often receivers are looked at for having become slow: soon after they have. */
const SWEEP_MS = SLOW_MS / 4

/**
 * Moves jobs from the store to their receivers: claims, sends and records, each at its own pace.
 * A node holds a bounded number of jobs; a receiver that hangs has few of the places (pace.ts,
 * lines.ts), so it delays no other. Call `wake` once to start.
 */
export function createDispatcher<J extends Job>(options: DispatcherOptions<J>): Dispatcher {
  const { store, send, onError, now = Date.now, idleMs = IDLE_MS, retryMs = RETRY_MS } = options
  const limits = { ...LIMITS, ...options.limits }
  const heldMax = HELD_PER_PLACE * limits.total
  const lines = createLines<J>(limits)
  const recorder = createRecorder<J>({ store, now, onError, retryMs, onRecorded })
  const running = new Set<Promise<void>>()
  let isStopping = false
  let isWanted = false
  /** The last claim was cut by its limit. */
  let isCut = false
  let claiming: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  const sweeper = setInterval(sweep, SWEEP_MS).unref()

  function wake() {
    isWanted = true
    if (claiming === null && !isStopping) {
      claiming = claimAll()
    }
  }

  async function claimAll() {
    while (isWanted && !isStopping && held() < heldMax) {
      isWanted = false
      await claim()
      if (!isCut) {
        await new Promise((resolve) => setTimeout(resolve, GAP_MS))
      }
    }
    claiming = null
    // What was wanted and found no room is looked for when there is room again.
    isCut ||= isWanted
    if (isWanted) {
      wakeIn(idleMs)
    }
  }

  async function claim() {
    // A quarter at most: before more is claimed, the lines are asked again who is to have it.
    const limit = Math.min(heldMax - held(), Math.ceil(limits.total / 4))
    try {
      const { jobs, nextAt } = await store.claim({ now: now(), limit, ...lines.ask() })
      isCut = jobs.length >= limit
      isWanted ||= isCut
      lines.add(jobs)
      wakeAt(nextAt)
      fill()
    } catch (error) {
      onError(error)
      isCut = false
      wakeIn(retryMs)
    }
  }

  function fill() {
    while (!isStopping) {
      const job = lines.next(now())
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
    const back = lines.finish(job, outcome, endedAt)
    recorder.add([{ job, attempt: outcome, endedAt }], back)
    fill()
    if (lines.runsLow(job.subscriptionId) || hasRoom()) {
      wake()
    }
  }

  async function sent(job: J): Promise<Attempt | null> {
    try {
      return await send(job)
    } catch (error) {
      onError(error)
      return unanswered('could not be sent')
    }
  }

  function onRecorded({ closed, more }: { closed: readonly string[]; more: boolean }) {
    recorder.add([], lines.clear(closed))
    if (more || hasRoom()) {
      wake()
    }
  }

  /** Room worth a claim, for what the last one had to leave. */
  function hasRoom(): boolean {
    return isCut && heldMax - held() >= limits.total / 4
  }

  function held(): number {
    return lines.held() + recorder.pending()
  }

  function sweep() {
    recorder.add([], lines.sweep(now()))
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
    clearInterval(sweeper)
    await claiming
    recorder.add([], lines.clear())
    while (running.size > 0) {
      await Promise.all(running)
    }
    await recorder.stop()
  }

  return { wake, stop }
}

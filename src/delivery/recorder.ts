import { createBatcher } from '../lib/batcher.ts'
import { pause } from '../lib/pause.ts'
import type { Job } from '../store/delivery-job.ts'
import type { DeliveryQueue } from '../store/delivery-queue.ts'
import type { EndedAttempt } from './attempt.ts'
import { decideAttempts } from './decide-attempts.ts'

export interface RecorderOptions<J extends Job> {
  readonly queue: Pick<DeliveryQueue<J>, 'record'>
  readonly now: () => number
  readonly random: () => number
  readonly onRecorded: (recorded: Recorded) => void
  readonly onError: (error: unknown) => void
  readonly retryMs: number
}

export interface Recorded {
  /** Subscriptions to which nothing is sent for now. */
  readonly closed: readonly string[]
  /** Whether a claim may now find what it did not find before. */
  readonly more: boolean
}

export interface Recorder<J extends Job> {
  readonly add: (ended: readonly EndedAttempt<J>[], returned: readonly J[]) => void
  /** Attempts and returned jobs that are not written yet. */
  readonly pending: () => number
  /** Resolves when everything is written, or a last try has failed. */
  readonly stop: () => Promise<void>
}

/**
 * How long a claim lasts: longer than any job waits in a node. A node has at most two rounds of a slow
 * receiver's slots, its attempts take 15 seconds, and the first without a response returns the rest.
 * The claims of a dead node are freed sooner, by its heartbeat; this is for a node that still runs and
 * has lost a job.
 */
export const CLAIM_MS = 120_000

/** Attempts of one transaction: enough to be cheap, few enough to hold its locks for a moment. */
const BATCH_MAX = 256

/**
 * Records attempts in batches, one transaction at a time: attempts that end while one is being written
 * go with the next. A queue that fails is asked again until it succeeds, with less at a time, so that
 * one attempt that it refuses does not keep the others from being recorded.
 */
export function createRecorder<J extends Job>(options: RecorderOptions<J>): Recorder<J> {
  const { queue, now, random, onRecorded, onError, retryMs } = options
  let ended: EndedAttempt<J>[] = []
  let returned: J[] = []
  let batchMax = BATCH_MAX
  let hasGivenUp = false
  const stopping = new AbortController()
  const batcher = createBatcher({ hasWaiting: () => pending() > 0 && !hasGivenUp, flush })

  function add(endedNow: readonly EndedAttempt<J>[], returnedNow: readonly J[]) {
    ended.push(...endedNow)
    returned.push(...returnedNow)
    batcher.wake()
  }

  async function flush() {
    const isWritten = await write(ended.slice(0, batchMax), returned.slice(0, batchMax))
    if (isWritten) {
      return
    }
    if (stopping.signal.aborted) {
      hasGivenUp = true
    } else {
      await pause(retryMs, stopping.signal)
    }
  }

  async function write(
    endedNow: readonly EndedAttempt<J>[],
    returnedNow: readonly J[],
  ): Promise<boolean> {
    try {
      const recorded = await record(endedNow, returnedNow)
      ended = ended.slice(endedNow.length)
      returned = returned.slice(returnedNow.length)
      batchMax = Math.min(batchMax * 2, BATCH_MAX)
      onRecorded(recorded)
      return true
    } catch (error) {
      onError(error)
      if (batchMax === 1) {
        putLast()
      }
      batchMax = Math.max(1, Math.floor(batchMax / 2))
      return false
    }
  }

  async function record(
    endedNow: readonly EndedAttempt<J>[],
    returnedNow: readonly J[],
  ): Promise<Recorded> {
    const batch = { attempted: endedNow.map(({ job }) => job), returned: returnedNow }
    const { decision, more } = await queue.record(batch, (health) =>
      decideAttempts(endedNow, health, random),
    )
    return { closed: decision.closed, more }
  }

  /** After the end of its claim a job is claimed again elsewhere, and its attempt is not recorded. */
  function putLast() {
    const [first, ...rest] = ended
    const isLate = first !== undefined && now() - first.endedAt > CLAIM_MS
    if (first !== undefined) {
      ended = isLate ? rest : [...rest, first]
    }
    const [firstReturned, ...restReturned] = returned
    if (firstReturned !== undefined) {
      returned = [...restReturned, firstReturned]
    }
  }

  function pending(): number {
    return ended.length + returned.length
  }

  async function stop() {
    stopping.abort()
    await batcher.idle()
  }

  return { add, pending, stop }
}

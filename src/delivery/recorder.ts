import { createBatcher } from '../lib/batcher.ts'
import {
  CLAIM_MS,
  type DeliveryStore,
  type Done,
  type Job,
  type Recorded,
} from './delivery-store.ts'

export interface RecorderOptions<J extends Job> {
  readonly store: Pick<DeliveryStore<J>, 'record'>
  readonly now: () => number
  readonly onRecorded: (recorded: Recorded) => void
  readonly onError: (error: unknown) => void
  readonly retryMs: number
}

export interface Recorder<J extends Job> {
  readonly add: (done: readonly Done<J>[], back: readonly J[]) => void
  /** Attempts and jobs not yet written. */
  readonly pending: () => number
  /** Resolves when all is written, or a last try has failed. */
  readonly stop: () => Promise<void>
}

/** Of one transaction: long enough to be cheap, short enough to hold its locks for a moment. */
const BATCH_MAX = 256

/**
 * Writes attempts down in batches, one transaction at a time: what ends while one is being
 * written goes with the next. A store that fails is asked again until it answers, with less at a
 * time, so that one row it will not take does not keep the others.
 */
export function createRecorder<J extends Job>(options: RecorderOptions<J>): Recorder<J> {
  const { store, now, onRecorded, onError, retryMs } = options
  let done: Done<J>[] = []
  let back: J[] = []
  let batchMax = BATCH_MAX
  let isStopping = false
  let hasGivenUp = false
  let endPause = () => {}
  const batcher = createBatcher({ hasWaiting: () => pending() > 0 && !hasGivenUp, flush })

  function add(doneNow: readonly Done<J>[], backNow: readonly J[]) {
    done.push(...doneNow)
    back.push(...backNow)
    batcher.wake()
  }

  async function flush() {
    const isWritten = await write(done.slice(0, batchMax), back.slice(0, batchMax))
    if (isWritten) {
      return
    }
    if (isStopping) {
      hasGivenUp = true
    } else {
      await pause()
    }
  }

  async function write(doneNow: readonly Done<J>[], backNow: readonly J[]): Promise<boolean> {
    try {
      const recorded = await store.record(doneNow, backNow)
      done = done.slice(doneNow.length)
      back = back.slice(backNow.length)
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

  /** Past the end of their claim the store hands jobs out again, and their record says nothing. */
  function putLast() {
    const [first, ...rest] = done
    const isLate = first !== undefined && now() - first.endedAt > CLAIM_MS
    if (first !== undefined) {
      done = isLate ? rest : [...rest, first]
    }
    const [firstBack, ...restBack] = back
    if (firstBack !== undefined) {
      back = [...restBack, firstBack]
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, retryMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function pending(): number {
    return done.length + back.length
  }

  async function stop() {
    isStopping = true
    endPause()
    await batcher.idle()
  }

  return { add, pending, stop }
}

import { createCounts } from '../lib/counts.ts'
import { createFairQueue } from '../lib/fair-queue/fair-queue.ts'
import { pause } from '../lib/pause.ts'

/** Folds long parts of event logs, a bounded number of events at a time, after the request for them was answered. */
export interface BackgroundFolds {
  /**
   * Takes steps until one says that it was the last, unless work of this name is in progress already.
   * Accounts take turns, and each has a few at a time. False where there is no room.
   */
  start(name: string, account: string, step: () => Promise<boolean>): boolean
  /** Starts no step any more, and waits for the one that runs. */
  close(): Promise<void>
}

/** What one account waits for at a time. */
const PER_ACCOUNT_MAX = 8

/** Of all accounts, and of the agents that this node keeps up with: some hundred bytes each. */
const ALL_MAX = 10_000

export function createBackgroundFolds(onError: (error: unknown) => void): BackgroundFolds {
  // A step has a core for a tenth of a second: one at a time.
  const turns = createFairQueue({
    runningMax: 1,
    runningPerKeyMax: 1,
    waitingMax: ALL_MAX,
    waitingPerKeyMax: PER_ACCOUNT_MAX,
    waitMaxMs: Number.POSITIVE_INFINITY,
    refusal: 'too many event logs are being folded',
  })
  const closing = new AbortController()
  const inProgress = new Map<string, Promise<void>>()
  const perAccount = createCounts()

  async function carryOut(account: string, step: () => Promise<boolean>): Promise<void> {
    let isLast = false
    while (!isLast) {
      isLast = await turns.run(account, 1, async () => closing.signal.aborted || rested(step))
    }
  }

  /** Half of the time is left to requests: a log of a million events is folded for a minute. */
  async function rested(step: () => Promise<boolean>): Promise<boolean> {
    const startedAt = performance.now()
    const isLast = await step()
    if (!isLast) {
      await pause(performance.now() - startedAt, closing.signal)
    }
    return isLast
  }

  return {
    start(name, account, step) {
      if (inProgress.has(name)) {
        return true
      }
      const isFull = inProgress.size >= ALL_MAX || perAccount.of(account) >= PER_ACCOUNT_MAX
      if (closing.signal.aborted || isFull) {
        return false
      }
      perAccount.add(account, 1)
      const work = carryOut(account, step)
        .catch(onError)
        .finally(() => {
          perAccount.add(account, -1)
          inProgress.delete(name)
        })
      inProgress.set(name, work)
      return true
    },
    async close() {
      closing.abort()
      await Promise.all(inProgress.values())
    },
  }
}

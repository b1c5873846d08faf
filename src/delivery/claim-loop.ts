import { pause } from '../lib/pause.ts'

/** Decides when a node claims jobs: when it is woken, when one is due, and when there is room again. */
export interface ClaimLoop {
  /** There may be something to claim. Cheap: many calls at once make one claim. */
  readonly wake: () => void
  /** There may be room again for what the last claim had to leave. */
  readonly wakeIfRoom: () => void
  /** Claims nothing more. Resolves when the claim in progress has ended. */
  readonly stop: () => Promise<void>
}

export interface ClaimLoopOptions {
  /** Claims at most `limit` jobs. */
  readonly claim: (limit: number) => Promise<ClaimResult>
  /** For how many more jobs the node has room. */
  readonly room: () => number
  /** Jobs of one claim; so many make it worth one. */
  readonly claimMax: number
  /** Epoch milliseconds. */
  readonly now: () => number
  /** The longest time without a claim: what finds jobs that no `wake` announced. */
  readonly idleMs: number
  /** The pause after a claim that failed, however often the loop is woken meanwhile. */
  readonly retryMs: number
  readonly onError: (error: unknown) => void
}

export interface ClaimResult {
  readonly count: number
  /** When the next job is due, in epoch milliseconds; null where none is known. */
  readonly nextAt: number | null
}

/** From one claim to the next: a hundred a second at most, too short to be noticed. */
const CLAIM_GAP_MS = 10

/** A retry may be this late, so that a wrong `nextAt` never makes the timer spin. */
const TIMER_MIN_MS = 50

/** Claims nothing before the first `wake`. */
export function createClaimLoop(options: ClaimLoopOptions): ClaimLoop {
  const { claim, room, claimMax, now, idleMs, retryMs, onError } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let isWanted = false
  /** The last claim was cut by its limit. */
  let isCut = false
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  function wake() {
    isWanted = true
    if (running === null && !signal.aborted) {
      running = claimAll()
    }
  }

  async function claimAll() {
    while (isWanted && !signal.aborted && room() > 0) {
      isWanted = false
      const gapMs = await claimOnce()
      // What a claim was cut from follows at once.
      if (gapMs > 0) {
        await pause(gapMs, signal)
      }
    }
    running = null
    // What found no room is claimed when there is room again.
    isCut ||= isWanted
    if (isWanted) {
      wakeIn(idleMs)
    }
  }

  /** The pause before the next claim, in milliseconds. */
  async function claimOnce(): Promise<number> {
    const limit = Math.min(room(), claimMax)
    try {
      const { count, nextAt } = await claim(limit)
      isCut = count >= limit
      isWanted ||= isCut
      wakeIn(nextAt === null ? idleMs : Math.min(idleMs, Math.max(TIMER_MIN_MS, nextAt - now())))
      return isCut ? 0 : CLAIM_GAP_MS
    } catch (error) {
      onError(error)
      isCut = false
      isWanted = true
      return retryMs
    }
  }

  function wakeIn(ms: number) {
    clearTimeout(timer)
    if (!signal.aborted) {
      timer = setTimeout(wake, ms).unref()
    }
  }

  return {
    wake,
    wakeIfRoom() {
      if (isCut && room() >= claimMax) {
        wake()
      }
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

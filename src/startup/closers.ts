import type { CloseOptions } from '../http/drain.ts'
import type { Log } from '../lib/log.ts'
import { pause } from '../lib/pause.ts'

/** A part of the service that was opened. */
export interface Part {
  /** In the log, where it does not end in time. */
  readonly name: string
  /**
   * For a part that can be left behind at any moment, the time it is given: what it does not finish is
   * taken over by another node or by the next start, as after a crash, and closing has not failed.
   */
  readonly leftAfterMs?: number
  readonly close: (options: CloseOptions) => Promise<void>
}

/** What was opened, in the order of its opening. */
export type Closers = Part[]

/** Docker kills ten seconds after SIGTERM; the rest is for the process to end. */
const CLOSE_MAX_MS = 9_000

/**
 * Reserved for each of the later parts, some twenty, while one does not close in time. Most of them need
 * milliseconds; what was accepted and the database need seconds.
 */
const LAST_MS = 150

/**
 * For background work, which ends in milliseconds on a machine that is not busy. The next start or another
 * node continues it.
 */
export const BACKGROUND = { leftAfterMs: 1_000 } as const

/** How time passes while the parts close. */
export interface CloseClock {
  /** In milliseconds. */
  readonly now: () => number
  /** Waits so long, or until it is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

const CLOCK: CloseClock = {
  now: () => performance.now(),
  wait: pause,
}

/**
 * Closes the parts, the last one first. A part that does not end in time, as where its database does
 * not answer, is left behind. False where that lost something, or where a part failed.
 */
export async function closeAll(
  closers: Closers,
  log: Log,
  options: CloseOptions,
  clock: CloseClock = CLOCK,
): Promise<boolean> {
  const until = clock.now() + CLOSE_MAX_MS + Math.max(0, (options.graceMs ?? 0) - GRACE_MS)
  let isClean = true
  for (let part = closers.pop(); part; part = closers.pop()) {
    const { name, leftAfterMs = Number.POSITIVE_INFINITY } = part
    const mayBeLeft = part.leftAfterMs !== undefined
    const left = Math.max(LAST_MS, until - clock.now() - closers.length * LAST_MS)
    const withinMs = Math.min(left, leftAfterMs)
    try {
      if (!(await endsWithin(part.close({ ...options, withinMs }), withinMs, clock))) {
        isClean &&= mayBeLeft
        log.warn({ part: name, withinMs: Math.round(withinMs) }, mayBeLeft ? TAKEN_OVER : LEFT)
      }
    } catch (error) {
      isClean &&= mayBeLeft
      log.error({ err: error, part: name }, 'shutting down failed')
    }
  }
  return isClean
}

const TAKEN_OVER = 'a part did not end in time; the next start takes over what is left'
const LEFT = 'a part did not end in time; what it had not finished is given up'

/** The grace period that fits into the time above; a longer one is waited for in addition. */
const GRACE_MS = 3_000

async function endsWithin(work: Promise<void>, maxMs: number, clock: CloseClock): Promise<boolean> {
  const ended = new AbortController()
  const late = clock.wait(maxMs, ended.signal).then(() => false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    ended.abort()
    // It may still fail later.
    work.catch(() => {})
  }
}

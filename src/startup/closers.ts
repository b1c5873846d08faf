import type { CloseOptions } from '../http/drain.ts'
import type { Log } from '../lib/log.ts'

/** What closes the parts that were opened, in the order of their opening. */
export type Closers = ((options: CloseOptions) => Promise<void>)[]

/** Docker kills ten seconds after SIGTERM; the rest is for the process to end. */
const CLOSE_MAX_MS = 9_000

/**
 * Reserved for each of the later parts, some twenty, while one does not close in time. Most of them need
 * milliseconds; deliveries in progress and the database need seconds.
 */
const LAST_MS = 150

/**
 * Closes the parts, the last one first. A part that does not end in time, as where its database does
 * not answer, is left behind. False then, or where a part failed.
 */
export async function closeAll(
  closers: Closers,
  log: Log,
  options: CloseOptions,
): Promise<boolean> {
  const until = performance.now() + CLOSE_MAX_MS + Math.max(0, (options.graceMs ?? 0) - GRACE_MS)
  let isClean = true
  for (let one = closers.pop(); one; one = closers.pop()) {
    const maxMs = Math.max(LAST_MS, until - performance.now() - closers.length * LAST_MS)
    try {
      isClean = (await endsWithin(one(options), maxMs)) && isClean
    } catch (error) {
      isClean = false
      log.error({ err: error }, 'shutting down failed')
    }
  }
  if (!isClean) {
    log.warn({}, 'not everything ended in time; the next start takes over what is left')
  }
  return isClean
}

/** The grace period that fits into the time above; a longer one is waited for in addition. */
const GRACE_MS = 3_000

async function endsWithin(work: Promise<void>, maxMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), maxMs)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
    // It may still fail later.
    work.catch(() => {})
  }
}

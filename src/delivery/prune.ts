import { setTimeout } from 'node:timers/promises'

/**
 * It rests this many times as long as a part took, so that clearing up takes a fifth of one
 * connection at most, on a database that is slow to answer as well.
 */
const RESTS = 4

/** Prunes part by part until nothing is left, however much it is, or until it is to stop. */
export async function pruneAll(
  prune: () => Promise<boolean>,
  signal: AbortSignal,
  rest: (ms: number, signal: AbortSignal) => Promise<void> = pause,
): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now()
    if (!(await prune())) {
      return
    }
    await rest(RESTS * (performance.now() - startedAt), signal)
  }
}

/** Until the time is over or it is to stop, whichever comes first. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {})
}

import { pause as pauseFor } from '../lib/pause.ts'

/**
 * It pauses this many times as long as a part took, so that pruning takes a fifth of one connection at
 * most, also on a slow database.
 */
const PAUSES = 4

/** Prunes part by part until nothing is left or the signal aborts. */
export async function pruneAll(
  prune: () => Promise<boolean>,
  signal: AbortSignal,
  pause = pauseFor,
): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now()
    if (!(await prune())) {
      return
    }
    await pause(PAUSES * (performance.now() - startedAt), signal)
  }
}

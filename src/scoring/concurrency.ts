import type { SemaphoreOptions } from '../lib/semaphore.ts'

/**
 * An export runs once for each part of the log (some 10 ms), so that one with a slow reader does not
 * hold up the others.
 */
export const EXPORTS: SemaphoreOptions = {
  runningMax: 2,
  waitingMax: 1_000,
  refusal: 'too many exports are waiting',
}

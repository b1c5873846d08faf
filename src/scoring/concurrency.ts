import type { SemaphoreOptions } from '../lib/semaphore.ts'

/**
 * A replay costs as much as its log is long (some 10 µs an event, most of it reading). Two at a time
 * leave a core and most connections to the requests that cost nothing.
 */
export const REPLAYS: SemaphoreOptions = {
  runningMax: 2,
  waitingMax: 50,
  refusal: 'too many requests that replay an event log are waiting',
}

/**
 * An export runs once for each part of the log (some 10 ms), so that one with a slow reader does not
 * hold up the others.
 */
export const EXPORTS: SemaphoreOptions = {
  runningMax: 2,
  waitingMax: 1_000,
  refusal: 'too many exports are waiting',
}

import { isTransient, StandingError } from '@standing/sdk'
import { pause } from '../../../src/lib/pause.ts'

/** Makes a call, and repeats it while the service is unavailable. */
export type Retry = <T>(call: () => Promise<T>) => Promise<T>

/** The SDK has retried by then; half a second more finds a service that restarted soon enough. */
const PAUSE_MS = 500

/**
 * Only for calls that may be made twice: each call of a replay has an idempotency key or external ids.
 *
 * @param patienceMs how long to repeat a call, from its first failure
 * @param onUnavailable called once for each call that finds the service unavailable
 */
export function createRetry(
  patienceMs: number,
  onUnavailable: (error: StandingError) => void,
): Retry {
  return async (call) => {
    let since: number | undefined
    for (;;) {
      const started = performance.now()
      try {
        return await call()
      } catch (error) {
        if (!isUnavailable(error)) {
          throw error
        }
        if (since === undefined) {
          onUnavailable(error)
        }
        since ??= started
        if (performance.now() + PAUSE_MS - since > patienceMs) {
          throw error
        }
      }
      await pause(PAUSE_MS)
    }
  }
}

/** Not a 429: the SDK waits for it to pass, or it is a quota that does not pass in time. */
function isUnavailable(error: unknown): error is StandingError {
  return error instanceof StandingError && error.status !== 429 && isTransient(error)
}

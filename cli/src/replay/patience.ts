import { isTransient, StandingError } from '@standing/sdk'

/** Runs a call until it succeeds, the service was away for too long, or it fails for another reason. */
export type Patience = <T>(call: () => Promise<T>) => Promise<T>

// The SDK has its own short waits in front of this one; half a second on top finds a restart soon enough.
const PAUSE_MS = 500

/**
 * Only for calls that may be made twice: every one of a replay's is known by a name of its own.
 *
 * @param onAway told once for each call that finds the service away
 */
export function createPatience(
  patienceMs: number,
  onAway: (error: StandingError) => void,
): Patience {
  return async (call) => {
    let since: number | undefined
    for (;;) {
      const started = Date.now()
      try {
        return await call()
      } catch (error) {
        if (!isAway(error)) {
          throw error
        }
        if (since === undefined) {
          onAway(error)
        }
        since ??= started
        if (Date.now() + PAUSE_MS - since > patienceMs) {
          throw error
        }
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

/** A 429 is no outage: the SDK waits for it, or it is a quota that no patience outlasts. */
function isAway(error: unknown): error is StandingError {
  return error instanceof StandingError && error.status !== 429 && isTransient(error)
}

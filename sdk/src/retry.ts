import { isTransient, type StandingError } from './error.ts'
import type { WaitReason } from './wait.ts'

export interface RetryPolicy {
  /** How often a call is repeated after its first attempt. */
  readonly retriesMax: number
  /** How long a call is repeated after its first failure; what the service asks for comes on top. */
  readonly retryForMs: number
  /** How long a call waits in all because the service asks for it. */
  readonly retryAfterMaxMs: number
}

export const RETRY_POLICY: RetryPolicy = {
  retriesMax: Number.POSITIVE_INFINITY,
  // A restart takes three seconds, five on a busy machine: twice that. A longer outage is the caller's.
  retryForMs: 10_000,
  // The requests-per-minute window is 60 s; the rest is rounding. Hourly and monthly quotas lie beyond.
  retryAfterMaxMs: 65_000,
}

/** The upper bound of the first wait. It doubles with each attempt: 0.25, 0.5, 1, 2, 2 s. */
const BACKOFF_BASE_MS = 250
/** The most that is added to an outage: a service that is back is found within two seconds. */
const BACKOFF_MAX_MS = 2_000

/** What a call has used up. */
export interface Spent {
  /** How many attempts have failed, 1 or more. */
  readonly attempts: number
  /** Time since the first failure, without the waits that the service asked for. */
  readonly triedMs: number
  /** Time waited because the service asked for it. */
  readonly askedMs: number
}

export interface Delay {
  /** What the service asks for. */
  readonly askedMs: number
  /** What is added, so that callers refused together do not return together. */
  readonly backoffMs: number
}

/**
 * How long to wait before trying again, or undefined where trying again is no use. Safe for every
 * call, because reads have no effect and writes carry an Idempotency-Key.
 *
 * While less than `retryForMs` has passed, there is always another attempt: an outage that is no
 * longer than that is never seen by the caller.
 *
 * @param random from 0 to 1: how much of the upper half of the wait is used
 */
export function retryDelay(
  error: StandingError,
  spent: Spent,
  policy: RetryPolicy,
  random: number,
): Delay | undefined {
  if (!isTransient(error)) {
    return undefined
  }
  if (spent.attempts > policy.retriesMax || spent.triedMs >= policy.retryForMs) {
    return undefined
  }
  const askedMs = error.retryAfterMs ?? 0
  if (spent.askedMs + askedMs > policy.retryAfterMaxMs) {
    return undefined
  }
  const bound = Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** (spent.attempts - 1))
  // At least half of the bound, so that the number of attempts has a bound as well.
  return { askedMs, backoffMs: (bound * (1 + random)) / 2 }
}

/** Why a call waits after this error. */
export function waitReason(error: StandingError): WaitReason {
  if (error.status === 429) {
    return 'rate_limit'
  }
  return error.status === 409 ? 'in_progress' : 'unavailable'
}

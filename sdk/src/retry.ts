import type { StandingError } from './error.ts'

export interface RetryPolicy {
  /** How often a call is repeated after its first attempt. */
  readonly retriesMax: number
  /** The longest wait a `Retry-After` may ask for before the call gives up instead. */
  readonly retryAfterMaxMs: number
}

export const RETRY_POLICY: RetryPolicy = {
  // Four repeats reach over a restart of a few seconds; a longer outage is the caller's to judge.
  retriesMax: 4,
  // The requests-per-minute window is 60 s; the rest is rounding. Hourly and monthly quotas lie beyond.
  retryAfterMaxMs: 65_000,
}

/** The first wait's upper bound. It doubles with each attempt: 0.25, 0.5, 1, 2, 4, 8, 8 s. */
const BACKOFF_BASE_MS = 250
const BACKOFF_MAX_MS = 8_000

/**
 * How long to wait before trying again, or undefined where trying again is no use. Safe for every
 * call, because reads have no effect and writes carry an Idempotency-Key.
 *
 * @param attempt how many attempts have failed, 1 or more
 * @param random from 0 to 1: full jitter, so that callers turned away together don't return together
 */
export function retryDelayMs(
  error: StandingError,
  attempt: number,
  policy: RetryPolicy,
  random: number,
): number | undefined {
  if (attempt > policy.retriesMax || !isTransient(error)) return undefined
  const asked = error.retryAfterMs ?? 0
  if (asked > policy.retryAfterMaxMs) return undefined
  return asked + random * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1))
}

/** Whether the same request may well succeed a little later. */
export function isTransient(error: StandingError): boolean {
  switch (error.status) {
    case 0:
      return error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT'
    case 409:
      return error.code === 'IDEMPOTENCY_IN_PROGRESS'
    case 429:
    case 502:
    case 503:
    case 504:
      return true
    default:
      return false
  }
}

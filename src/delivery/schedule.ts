import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts'

/**
 * The wait after each failed attempt: ten attempts over 75 h 35 min, the example schedule of
 * Standard Webhooks. It outlasts a weekend.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
]

export const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1

/** A tenth either way spreads deliveries that failed together, and 5 seconds stay about 5 seconds. */
const JITTER = 0.1

/** No receiver puts a notification off for longer than the longest wait of the schedule. */
export const RETRY_AFTER_MAX_MS = DAY_MS

/**
 * The time of the next attempt in epoch milliseconds, or null when all attempts are spent.
 * `attempt` counts those made, from 1. `random` gives [0, 1). A Retry-After may put the next attempt
 * off, but not bring it forward; each waits a little longer than asked, so that they do not all come at once.
 */
export function nextAttemptAt(
  attempt: number,
  now: number,
  random: () => number,
  retryAfterMs: number | null = null,
): number | null {
  const delay = RETRY_DELAYS_MS[attempt - 1]
  if (delay === undefined) {
    return null
  }
  const planned = delay * (1 - JITTER + 2 * JITTER * random())
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS) * (1 + JITTER * random())
  return Math.round(now + Math.max(planned, asked))
}

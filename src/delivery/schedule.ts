const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * The wait after each failed attempt: ten attempts over 75 h 35 min, the example schedule of
 * Standard Webhooks. It outlasts a weekend.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

export const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1

/** A tenth either way spreads deliveries that failed together, and 5 seconds stay about 5 seconds. */
const JITTER = 0.1

/** No receiver puts a notification off for longer than the longest wait of the schedule. */
export const RETRY_AFTER_MAX_MS = 24 * HOUR

/**
 * The time of the next attempt in epoch milliseconds, or null when all attempts are spent.
 * `attempt` counts those made, from 1. `random` gives [0, 1). A Retry-After may put the next attempt
 * off, never forward; each waits a little longer than asked, so that they do not all come at once.
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

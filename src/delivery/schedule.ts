import type { Attempt } from './attempt.ts'

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

/** A tenth either way spreads what failed together, and 5 seconds stay about 5 seconds. */
const JITTER = 0.1

/** No receiver holds a notice longer than our own longest wait. */
export const RETRY_AFTER_MAX_MS = 24 * HOUR

/** Published: five in a row pause a subscription, ten disable it. */
const FAILURES_TO_PAUSE = 5
const FAILURES_TO_DISABLE = 10

/** Published: a paused receiver is asked once an hour whether it is back. */
export const PROBE_INTERVAL_MS = HOUR

/**
 * When to try again, in epoch milliseconds, or null when all attempts are spent.
 * `attempt` counts those made, from 1. `random` gives [0, 1). The receiver's Retry-After may put
 * the next attempt off, never forward, and each waits a little longer than asked, not all alike.
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

/** How a subscription fares. Times are epoch milliseconds. */
export interface Health {
  readonly status: 'active' | 'paused' | 'disabled'
  readonly consecutiveFailures: number
  /** Before this nothing is sent: while active a Retry-After, while paused the next probe. */
  readonly notBefore: number | null
  /** When it left `active` on its own. */
  readonly changedAt: number | null
  readonly reason: 'failing' | 'gone' | null
}

/** A new subscription, or one its owner has set to active again. */
export const HEALTHY: Health = {
  status: 'active',
  consecutiveFailures: 0,
  notBefore: null,
  changedAt: null,
  reason: null,
}

/** The health after an attempt that ended at `now`. */
export function afterAttempt(health: Health, attempt: Attempt, now: number): Health {
  // Whatever was still in flight when it was turned off: only its owner turns it on again.
  if (health.status === 'disabled') {
    return health
  }
  switch (attempt.outcome) {
    case 'delivered':
      return HEALTHY
    case 'gone':
      return { ...health, ...ended('gone', now) }
    case 'throttled':
      return throttled(health, attempt, now)
    case 'failed':
      return failed(health, attempt, now)
  }
}

/** What may be sent now: anything, one probe, or nothing. */
export function sendable(health: Health, now: number): 'any' | 'probe' | 'none' {
  if (health.status === 'disabled') {
    return 'none'
  }
  if (health.notBefore !== null && now < health.notBefore) {
    return 'none'
  }
  return health.status === 'paused' ? 'probe' : 'any'
}

/** Taken down with the probe itself, so that no second one starts within the hour. */
export function probing(health: Health, now: number): Health {
  return { ...health, notBefore: now + PROBE_INTERVAL_MS }
}

function failed(health: Health, attempt: Attempt, now: number): Health {
  if (health.status === 'paused') {
    return probeFailed(health, attempt, now)
  }
  const consecutiveFailures = health.consecutiveFailures + 1
  if (consecutiveFailures < FAILURES_TO_PAUSE) {
    return { ...health, consecutiveFailures }
  }
  return {
    status: 'paused',
    consecutiveFailures,
    notBefore: now + PROBE_INTERVAL_MS,
    changedAt: now,
    reason: 'failing',
  }
}

/**
 * Attempts already on their way when the pause began say nothing new; counting them would let one
 * bad second with ten in flight disable a receiver that was to have hours.
 */
function probeFailed(health: Health, attempt: Attempt, now: number): Health {
  if (startedAt(attempt, now) < (health.changedAt ?? 0)) {
    return health
  }
  const consecutiveFailures = health.consecutiveFailures + 1
  if (consecutiveFailures >= FAILURES_TO_DISABLE) {
    return { ...health, consecutiveFailures, ...ended('failing', now) }
  }
  return { ...health, consecutiveFailures, notBefore: now + PROBE_INTERVAL_MS }
}

/**
 * A receiver that asks for time gets it, for all that it is sent, and a burst it turned away is
 * one failure: the next counts only when we had waited as asked.
 */
function throttled(health: Health, attempt: Attempt, now: number): Health {
  const until = now + Math.min(attempt.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)
  const isSameBurst =
    health.status === 'active' && startedAt(attempt, now) < (health.notBefore ?? 0)
  const next = isSameBurst ? health : failed(health, attempt, now)
  if (next.status === 'disabled') {
    return next
  }
  return { ...next, notBefore: Math.max(next.notBefore ?? 0, until) }
}

function ended(reason: 'failing' | 'gone', now: number) {
  return { status: 'disabled', notBefore: null, changedAt: now, reason } as const
}

function startedAt(attempt: Attempt, now: number): number {
  return now - attempt.durationMs
}

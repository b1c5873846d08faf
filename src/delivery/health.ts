import { HOUR_MS } from '../domain/time.ts'
import type { WebhookHealth } from '../store/webhooks.ts'
import type { Attempt } from './attempt.ts'
import { RETRY_AFTER_MAX_MS } from './schedule.ts'

/** Published: five failures in a row pause a subscription, ten disable it. */
const FAILURES_TO_PAUSE = 5
const FAILURES_TO_DISABLE = 10

/** Published: a paused receiver is probed once an hour. */
export const PROBE_INTERVAL_MS = HOUR_MS

/** The health of a new subscription, and of one that its owner has set to active again. */
export const HEALTHY: WebhookHealth = {
  status: 'active',
  consecutiveFailures: 0,
  notBefore: null,
  changedAt: null,
  reason: null,
}

/** The health after an attempt that ended at `now`. */
export function afterAttempt(health: WebhookHealth, attempt: Attempt, now: number): WebhookHealth {
  // This attempt was in flight when the subscription was disabled; only its owner enables it again.
  if (health.status === 'disabled') {
    return health
  }
  switch (attempt.outcome) {
    case 'delivered':
      return HEALTHY
    case 'gone':
      return { ...health, ...disabled('gone', now) }
    case 'throttled':
      return throttled(health, attempt, now)
    case 'failed':
      return failed(health, attempt, now)
  }
}

/** What may be sent now: anything, one probe, or nothing. */
export function sendable(health: WebhookHealth, now: number): 'any' | 'probe' | 'none' {
  if (health.status === 'disabled') {
    return 'none'
  }
  if (health.notBefore !== null && now < health.notBefore) {
    return 'none'
  }
  return health.status === 'paused' ? 'probe' : 'any'
}

function failed(health: WebhookHealth, attempt: Attempt, now: number): WebhookHealth {
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
 * Attempts that were in flight when the pause began do not count: with ten in flight, one bad second
 * would disable a receiver that is meant to have hours.
 */
function probeFailed(health: WebhookHealth, attempt: Attempt, now: number): WebhookHealth {
  if (startedAt(attempt, now) < (health.changedAt ?? 0)) {
    return health
  }
  const consecutiveFailures = health.consecutiveFailures + 1
  if (consecutiveFailures >= FAILURES_TO_DISABLE) {
    return { ...health, consecutiveFailures, ...disabled('failing', now) }
  }
  return { ...health, consecutiveFailures, notBefore: now + PROBE_INTERVAL_MS }
}

/**
 * A receiver that asks for time gets it for everything sent to it. A burst that it turned away is one
 * failure: the next one counts only after the wait that it asked for.
 */
function throttled(health: WebhookHealth, attempt: Attempt, now: number): WebhookHealth {
  const until = now + Math.min(attempt.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)
  const isSameBurst =
    health.status === 'active' && startedAt(attempt, now) < (health.notBefore ?? 0)
  const next = isSameBurst ? health : failed(health, attempt, now)
  if (next.status === 'disabled') {
    return next
  }
  return { ...next, notBefore: Math.max(next.notBefore ?? 0, until) }
}

function disabled(reason: 'failing' | 'gone', now: number) {
  return { status: 'disabled', notBefore: null, changedAt: now, reason } as const
}

function startedAt(attempt: Attempt, now: number): number {
  return now - attempt.durationMs
}

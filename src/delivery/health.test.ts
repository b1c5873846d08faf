import { describe, expect, test } from 'vitest'
import type { WebhookHealth } from '../store/webhooks.ts'
import type { Attempt } from './attempt.ts'
import { afterAttempt, HEALTHY, PROBE_INTERVAL_MS, sendable } from './health.ts'

const HOUR = PROBE_INTERVAL_MS
const NOW = 1_700_000_000_000

function attempt(outcome: Attempt['outcome'], over: Partial<Attempt> = {}): Attempt {
  const rest = { status: null, error: null, durationMs: 10, responseStart: '', retryAfterMs: null }
  return { outcome, ...rest, ...over }
}

/** The health after these attempts, a minute apart. */
function healthAfter(attempts: readonly Attempt[], from = HEALTHY): WebhookHealth {
  return attempts.reduce((health, one, i) => afterAttempt(health, one, NOW + i * 60_000), from)
}

const failures = (count: number) => Array<Attempt>(count).fill(attempt('failed'))
const PAUSED = healthAfter(failures(5))

/** The health once a probe was claimed. */
function probed(health: WebhookHealth, now: number): WebhookHealth {
  return { ...health, notBefore: now + HOUR }
}

describe('a subscription', () => {
  test('stays active through four failures and is paused by the fifth', () => {
    expect(healthAfter(failures(4))).toMatchObject({ status: 'active', consecutiveFailures: 4 })
    expect(PAUSED).toMatchObject({ status: 'paused', consecutiveFailures: 5, reason: 'failing' })
  })

  test('counts failures from zero after a success', () => {
    expect(healthAfter([...failures(4), attempt('delivered')])).toEqual(HEALTHY)
    expect(healthAfter([...failures(4), attempt('delivered'), ...failures(4)]).status).toBe(
      'active',
    )
  })

  test('is probed once an hour while it is paused', () => {
    const pausedAt = PAUSED.changedAt ?? 0
    expect(sendable(PAUSED, pausedAt + HOUR - 1)).toBe('none')
    expect(sendable(PAUSED, pausedAt + HOUR)).toBe('probe')
    const later = probed(PAUSED, pausedAt + HOUR)
    expect(sendable(later, pausedAt + 2 * HOUR - 1)).toBe('none')
    expect(sendable(later, pausedAt + 2 * HOUR)).toBe('probe')
  })

  test('is active again after one successful probe', () => {
    const later = (PAUSED.changedAt ?? 0) + HOUR
    expect(afterAttempt(probed(PAUSED, later), attempt('delivered'), later + 10)).toEqual(HEALTHY)
  })

  test('is disabled by the tenth failure, five hourly probes after the pause', () => {
    let health = PAUSED
    const states: string[] = []
    for (let hour = 1; hour <= 5; hour += 1) {
      const at = health.notBefore ?? 0
      expect(sendable(health, at)).toBe('probe')
      health = afterAttempt(probed(health, at), attempt('failed'), at + 10)
      states.push(`${health.status} ${health.consecutiveFailures}`)
    }
    expect(states).toEqual(['paused 6', 'paused 7', 'paused 8', 'paused 9', 'disabled 10'])
    expect(sendable(health, NOW + 1000 * HOUR)).toBe('none')
  })

  test('is not disabled by attempts that were in flight when it was paused', () => {
    let health = HEALTHY
    for (let i = 0; i < 40; i += 1) {
      health = afterAttempt(health, attempt('failed', { durationMs: 15_000 }), NOW + i)
    }
    expect(health).toMatchObject({ status: 'paused', consecutiveFailures: 5 })
    expect(health.notBefore).toBe(NOW + 4 + HOUR)
  })

  test('is disabled at once by a 410, both active and paused', () => {
    const gone = attempt('gone', { status: 410 })
    expect(healthAfter([gone])).toMatchObject({ status: 'disabled', reason: 'gone' })
    expect(healthAfter([gone], PAUSED)).toMatchObject({ status: 'disabled', reason: 'gone' })
  })

  test('stays disabled after any result of attempts in flight', () => {
    const disabled = healthAfter([attempt('gone')])
    expect(healthAfter([attempt('delivered'), attempt('failed')], disabled)).toBe(disabled)
  })

  test('is sent nothing until its Retry-After is over', () => {
    const health = afterAttempt(HEALTHY, attempt('throttled', { retryAfterMs: 30_000 }), NOW)
    expect(sendable(health, NOW + 29_999)).toBe('none')
    expect(sendable(health, NOW + 30_000)).toBe('any')
  })

  test('counts a refused burst as one failure', () => {
    let health = HEALTHY
    for (let i = 0; i < 10; i += 1) {
      const refused = attempt('throttled', { durationMs: 100, retryAfterMs: 1000 })
      health = afterAttempt(health, refused, NOW + i)
    }
    expect(health).toMatchObject({ status: 'active', consecutiveFailures: 1 })
  })

  test('is paused if it refuses again after every wait it asked for', () => {
    let health = HEALTHY
    for (let i = 0; i < 5; i += 1) {
      const at = (health.notBefore ?? NOW) + 20
      health = afterAttempt(health, attempt('throttled', { retryAfterMs: 1000 }), at)
    }
    expect(health).toMatchObject({ status: 'paused', consecutiveFailures: 5 })
  })

  test('is disabled after five probes with 429', () => {
    let health = PAUSED
    for (let i = 0; i < 5; i += 1) {
      const at = health.notBefore ?? 0
      health = afterAttempt(probed(health, at), attempt('throttled'), at + 10)
    }
    expect(health).toMatchObject({ status: 'disabled', consecutiveFailures: 10 })
  })

  test('is not probed before its Retry-After while paused, even beyond an hour', () => {
    const at = PAUSED.notBefore ?? 0
    const refused = attempt('throttled', { retryAfterMs: 5 * HOUR })
    const health = afterAttempt(probed(PAUSED, at), refused, at + 10)
    expect(sendable(health, at + 5 * HOUR)).toBe('none')
    expect(sendable(health, at + 10 + 5 * HOUR)).toBe('probe')
  })
})

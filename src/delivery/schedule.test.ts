import { describe, expect, it as test } from 'vitest'
import type { Attempt } from './attempt.ts'
import {
  ATTEMPTS_MAX,
  afterAttempt,
  HEALTHY,
  type Health,
  nextAttemptAt,
  probing,
  RETRY_DELAYS_MS,
  sendable,
} from './schedule.ts'

const HOUR = 3_600_000
const NOW = 1_700_000_000_000
const middle = () => 0.5

function attempt(outcome: Attempt['outcome'], over: Partial<Attempt> = {}): Attempt {
  const rest = { status: null, error: null, durationMs: 10, responseStart: '', retryAfterMs: null }
  return { outcome, ...rest, ...over }
}

/** The health after these attempts, a minute apart. */
function healthAfter(attempts: readonly Attempt[], from: Health = HEALTHY): Health {
  return attempts.reduce((health, one, i) => afterAttempt(health, one, NOW + i * 60_000), from)
}

const failures = (count: number) => Array<Attempt>(count).fill(attempt('failed'))
const PAUSED = healthAfter(failures(5))

describe('the next attempt', () => {
  test('follows the published waits', () => {
    const waits = RETRY_DELAYS_MS.map((_, i) => (nextAttemptAt(i + 1, NOW, middle) ?? 0) - NOW)
    expect(waits.map((ms) => ms / 1000)).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])
  })

  test('does not come after the tenth', () => {
    expect(ATTEMPTS_MAX).toBe(10)
    expect(nextAttemptAt(10, NOW, middle)).toBeNull()
    expect(nextAttemptAt(10, NOW, middle, 1000)).toBeNull()
  })

  test('is spread by a tenth either way', () => {
    expect(nextAttemptAt(2, NOW, () => 0)).toBe(NOW + 270_000)
    expect(nextAttemptAt(2, NOW, () => 0.999_999_9)).toBe(NOW + 330_000)
  })

  test('waits as long as the receiver asks, or a little longer', () => {
    expect(nextAttemptAt(1, NOW, () => 0, 60_000)).toBe(NOW + 60_000)
    expect(nextAttemptAt(1, NOW, middle, 60_000)).toBe(NOW + 63_000)
  })

  test('never comes sooner because the receiver asks for less', () => {
    expect(nextAttemptAt(2, NOW, middle, 1000)).toBe(NOW + 300_000)
  })

  test('is not put off for more than a day', () => {
    expect(nextAttemptAt(1, NOW, () => 0, 1e12)).toBe(NOW + 24 * HOUR)
  })
})

describe('a subscription', () => {
  test('stays active through four failures and is paused by the fifth', () => {
    expect(healthAfter(failures(4))).toMatchObject({ status: 'active', consecutiveFailures: 4 })
    expect(PAUSED).toMatchObject({ status: 'paused', consecutiveFailures: 5, reason: 'failing' })
  })

  test('starts again from zero with a success', () => {
    expect(healthAfter([...failures(4), attempt('delivered')])).toEqual(HEALTHY)
    expect(healthAfter([...failures(4), attempt('delivered'), ...failures(4)]).status).toBe(
      'active',
    )
  })

  test('is asked once an hour while paused', () => {
    const pausedAt = PAUSED.changedAt ?? 0
    expect(sendable(PAUSED, pausedAt + HOUR - 1)).toBe('none')
    expect(sendable(PAUSED, pausedAt + HOUR)).toBe('probe')
    const asked = probing(PAUSED, pausedAt + HOUR)
    expect(sendable(asked, pausedAt + 2 * HOUR - 1)).toBe('none')
    expect(sendable(asked, pausedAt + 2 * HOUR)).toBe('probe')
  })

  test('is active again after one probe that arrives', () => {
    const later = (PAUSED.changedAt ?? 0) + HOUR
    expect(afterAttempt(probing(PAUSED, later), attempt('delivered'), later + 10)).toEqual(HEALTHY)
  })

  test('is disabled by the tenth failure, five hourly probes after the pause', () => {
    let health = PAUSED
    const states: string[] = []
    for (let hour = 1; hour <= 5; hour += 1) {
      const at = health.notBefore ?? 0
      expect(sendable(health, at)).toBe('probe')
      health = afterAttempt(probing(health, at), attempt('failed'), at + 10)
      states.push(`${health.status} ${health.consecutiveFailures}`)
    }
    expect(states).toEqual(['paused 6', 'paused 7', 'paused 8', 'paused 9', 'disabled 10'])
    expect(sendable(health, NOW + 1000 * HOUR)).toBe('none')
  })

  test('is not disabled by what was in flight when it was paused', () => {
    let health = HEALTHY
    for (let i = 0; i < 40; i += 1) {
      health = afterAttempt(health, attempt('failed', { durationMs: 15_000 }), NOW + i)
    }
    expect(health).toMatchObject({ status: 'paused', consecutiveFailures: 5 })
    expect(health.notBefore).toBe(NOW + 4 + HOUR)
  })

  test('is disabled at once by a 410, active or paused', () => {
    const gone = attempt('gone', { status: 410 })
    expect(healthAfter([gone])).toMatchObject({ status: 'disabled', reason: 'gone' })
    expect(healthAfter([gone], PAUSED)).toMatchObject({ status: 'disabled', reason: 'gone' })
  })

  test('once disabled is turned on by nothing that was still in flight', () => {
    const disabled = healthAfter([attempt('gone')])
    expect(healthAfter([attempt('delivered'), attempt('failed')], disabled)).toBe(disabled)
  })

  test('that asks for time gets it for everything it is sent', () => {
    const health = afterAttempt(HEALTHY, attempt('throttled', { retryAfterMs: 30_000 }), NOW)
    expect(sendable(health, NOW + 29_999)).toBe('none')
    expect(sendable(health, NOW + 30_000)).toBe('any')
  })

  test('that turns a burst away has failed once', () => {
    let health = HEALTHY
    for (let i = 0; i < 10; i += 1) {
      const refused = attempt('throttled', { durationMs: 100, retryAfterMs: 1000 })
      health = afterAttempt(health, refused, NOW + i)
    }
    expect(health).toMatchObject({ status: 'active', consecutiveFailures: 1 })
  })

  test('that refuses even after every wait it asked for is paused', () => {
    let health = HEALTHY
    for (let i = 0; i < 5; i += 1) {
      const at = (health.notBefore ?? NOW) + 20
      health = afterAttempt(health, attempt('throttled', { retryAfterMs: 1000 }), at)
    }
    expect(health).toMatchObject({ status: 'paused', consecutiveFailures: 5 })
  })

  test('that answers five probes with 429 is disabled like any other', () => {
    let health = PAUSED
    for (let i = 0; i < 5; i += 1) {
      const at = health.notBefore ?? 0
      health = afterAttempt(probing(health, at), attempt('throttled'), at + 10)
    }
    expect(health).toMatchObject({ status: 'disabled', consecutiveFailures: 10 })
  })

  test('that is paused and asks for more than an hour is not asked sooner', () => {
    const at = PAUSED.notBefore ?? 0
    const refused = attempt('throttled', { retryAfterMs: 5 * HOUR })
    const health = afterAttempt(probing(PAUSED, at), refused, at + 10)
    expect(sendable(health, at + 5 * HOUR)).toBe('none')
    expect(sendable(health, at + 10 + 5 * HOUR)).toBe('probe')
  })
})

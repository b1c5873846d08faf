import { describe, expect, test } from 'vitest'
import { ATTEMPTS_MAX, nextAttemptAt, RETRY_DELAYS_MS } from './schedule.ts'

const HOUR = 3_600_000
const NOW = 1_700_000_000_000
const middle = () => 0.5

describe('the next attempt', () => {
  test('follows the published schedule', () => {
    const waits = RETRY_DELAYS_MS.map((_, i) => (nextAttemptAt(i + 1, NOW, middle) ?? 0) - NOW)
    expect(waits.map((ms) => ms / 1000)).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])
  })

  test('does not exist after the tenth', () => {
    expect(ATTEMPTS_MAX).toBe(10)
    expect(nextAttemptAt(10, NOW, middle)).toBeNull()
    expect(nextAttemptAt(10, NOW, middle, 1000)).toBeNull()
  })

  test('varies by up to a tenth in either direction', () => {
    expect(nextAttemptAt(2, NOW, () => 0)).toBe(NOW + 270_000)
    expect(nextAttemptAt(2, NOW, () => 0.999_999_9)).toBe(NOW + 330_000)
  })

  test('waits as long as the Retry-After, or a little longer', () => {
    expect(nextAttemptAt(1, NOW, () => 0, 60_000)).toBe(NOW + 60_000)
    expect(nextAttemptAt(1, NOW, middle, 60_000)).toBe(NOW + 63_000)
  })

  test('is not made sooner by a short Retry-After', () => {
    expect(nextAttemptAt(2, NOW, middle, 1000)).toBe(NOW + 300_000)
  })

  test('is delayed by at most a day', () => {
    expect(nextAttemptAt(1, NOW, () => 0, 1e12)).toBe(NOW + 24 * HOUR)
  })
})

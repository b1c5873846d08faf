import { expect, test } from 'vitest'
import { DAY_MS } from '../domain/time.ts'
import { expiryOf, scoreExpiryOf } from './expiry.ts'

const NOW = Date.parse('2026-06-15T11:00:00.000Z')
test('an owner’s credential ends in the future or never', () => {
  expect(expiryOf(undefined, NOW)).toBeNull()
  expect(expiryOf(null, NOW)).toBeNull()
  expect(expiryOf(NOW + 1, NOW)).toBe(NOW + 1)
  expect(() => expiryOf(NOW, NOW)).toThrow('must lie in the future')
})

test('a score credential ends after 30 days by default and after 90 at the latest', () => {
  expect(scoreExpiryOf(null, NOW)).toBe(NOW + 30 * DAY_MS)
  expect(scoreExpiryOf(NOW + 90 * DAY_MS, NOW)).toBe(NOW + 90 * DAY_MS)
  expect(() => scoreExpiryOf(NOW + 90 * DAY_MS + 1, NOW)).toThrow('at most 90 days ahead')
  expect(() => scoreExpiryOf(NOW - 1, NOW)).toThrow('must lie in the future')
})

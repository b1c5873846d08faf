import { expect, test } from 'vitest'
import { DAY_MS, dayOf } from './time.ts'

test('a day begins at midnight UTC and ends a millisecond before the next', () => {
  const midnight = Date.parse('2026-06-15T00:00:00.000Z')
  expect(dayOf(midnight)).toBe(midnight / DAY_MS)
  expect(dayOf(midnight + DAY_MS - 1)).toBe(dayOf(midnight))
  expect(dayOf(midnight - 1)).toBe(dayOf(midnight) - 1)
  expect(dayOf(-1)).toBe(-1)
})

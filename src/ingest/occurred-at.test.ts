import { expect, test } from 'vitest'
import { DAY_MS } from '../domain/time.ts'
import { isInWindow } from './occurred-at.ts'

const NOW = Date.parse('2026-06-15T11:00:00.000Z')
const at = (occurredAt: number | undefined) => isInWindow(occurredAt, { now: NOW, daysBack: 30 })

test('an event can lie 30 days in the past and 5 minutes in the future, to the millisecond', () => {
  expect(at(NOW - 30 * DAY_MS)).toBe(true)
  expect(at(NOW - 30 * DAY_MS - 1)).toBe(false)
  expect(at(NOW + 5 * 60_000)).toBe(true)
  expect(at(NOW + 5 * 60_000 + 1)).toBe(false)
})

test('an event without a time of its own is always accepted', () => {
  expect(at(undefined)).toBe(true)
})

import { stripDays } from '@standing/design/strip.ts'
import { expect, test } from 'vitest'
import { dayAfter, firstOfDays } from '../src/pages/agent/strip-days.ts'

const now = Date.UTC(2026, 5, 15, 17, 30)

test('events are read from the beginning of the first day that is drawn, a day of UTC', () => {
  const since = firstOfDays(now, 90)
  const days = stripDays([], { now, days: 90, knownSince: since })
  expect(new Date(since).toISOString()).toBe(`${days[0]?.day}T00:00:00.000Z`)
  expect(days.every(({ isKnown }) => isKnown)).toBe(true)
})

test('the day of the oldest event that was read is unknown, and the next one is known whole', () => {
  const oldest = Date.UTC(2026, 5, 13, 23, 59)
  const days = stripDays([], { now, days: 3, knownSince: dayAfter(oldest) })
  expect(days.map(({ day, isKnown }) => [day, isKnown])).toEqual([
    ['2026-06-13', false],
    ['2026-06-14', true],
    ['2026-06-15', true],
  ])
})

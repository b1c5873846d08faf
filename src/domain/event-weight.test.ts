import { expect, test } from 'vitest'
import type { EventData } from './event.ts'
import { amountUsd, eventWeight, sizeOf } from './event-weight.ts'
import { log2 } from './math.ts'
import { MODEL } from './model.ts'

const usd = (amount: number): EventData => ({ amount, currency: 'USD' })
const usual = (amount: number) => log2(1 + amount)

test('a timeout weighs more than a failure, a failure as much as a completion', () => {
  expect(eventWeight(MODEL, 'task.timeout', {})).toBeLessThan(eventWeight(MODEL, 'task.failed', {}))
  expect(eventWeight(MODEL, 'task.failed', {})).toBe(-eventWeight(MODEL, 'task.completed', {}))
})

test('the type decides, not what the data says of success', () => {
  expect(eventWeight(MODEL, 'task.completed', { success: false })).toBe(
    eventWeight(MODEL, 'task.completed', {}),
  )
})

test('uptime is mildly positive, never negative', () => {
  const masses = [0, 95, 96, 99, 99.5, 99.9, 100].map((uptimePercentage) =>
    eventWeight(MODEL, 'uptime.report', { uptimePercentage }),
  )
  expect(masses).toEqual([...masses].sort((a, b) => a - b))
  expect(masses[0]).toBe(0)
  expect(masses.at(-1)).toBe(0.5)
  expect(eventWeight(MODEL, 'uptime.report', {})).toBe(
    eventWeight(MODEL, 'uptime.report', { uptimePercentage: 99 }),
  )
})

test('every halving of the downtime counts the same, up to three nines', () => {
  const mass = (uptimePercentage: number) =>
    eventWeight(MODEL, 'uptime.report', { uptimePercentage })
  const step = mass(97.5)
  expect(step).toBeGreaterThan(0)
  for (const down of [2.5, 1, 0.5, 0.3]) {
    expect(mass(100 - down / 2) - mass(100 - down)).toBeCloseTo(step, 12)
  }
  expect(mass(99.9)).toBe(mass(100))
})

test('an error weighs the more the more severe it is, a high one as a medium one, or one of which nobody says', () => {
  const masses = (['low', 'medium', 'high', 'critical'] as const).map((severity) =>
    eventWeight(MODEL, 'error.reported', { severity }),
  )
  expect(masses).toEqual([-0.5, -1, -1, -2])
  expect(eventWeight(MODEL, 'error.reported', {})).toBe(-1)
})

test('a payment is of size 1 at 100 dollars, and stays between 0.1 and 3', () => {
  expect(sizeOf(MODEL, 100)).toBeCloseTo(1, 12)
  expect(sizeOf(MODEL, 0.01)).toBe(0.1)
  expect(sizeOf(MODEL, 1e12)).toBe(3)
  expect(eventWeight(MODEL, 'payment.completed', {})).toBe(0.25)
})

test('a payment gone wrong weighs more the worse it went', () => {
  const late = (daysLate: number) => eventWeight(MODEL, 'payment.late', { ...usd(100), daysLate })
  expect(late(30)).toBeLessThan(late(3))
  expect(late(10_000)).toBeCloseTo(-3, 12)
  expect(eventWeight(MODEL, 'payment.late', usd(100))).toBeCloseTo(-1, 12)
  expect(eventWeight(MODEL, 'payment.failed', usd(100))).toBeCloseTo(-2, 12)
  expect(eventWeight(MODEL, 'payment.disputed', usd(100))).toBeCloseTo(-3, 12)
  expect(eventWeight(MODEL, 'payment.failed', {})).toBe(-2)
})

test('a small payment gone wrong counts as half of one, unless the usual one is as small', () => {
  expect(eventWeight(MODEL, 'payment.failed', usd(1))).toBe(-1)
  expect(eventWeight(MODEL, 'payment.failed', usd(1), usual(100))).toBe(-1)
  expect(eventWeight(MODEL, 'payment.failed', usd(1), usual(1))).toBeCloseTo(
    -2 * sizeOf(MODEL, 1),
    12,
  )
})

test('a payment gone wrong weighs up to five times if it is far above the usual', () => {
  const failed = (amount: number) => eventWeight(MODEL, 'payment.failed', usd(1000), usual(amount))
  expect(failed(500)).toBe(-2 * sizeOf(MODEL, 1000))
  expect(failed(50)).toBeLessThan(failed(500))
  expect(failed(0)).toBeLessThan(failed(50))
  expect(eventWeight(MODEL, 'payment.failed', usd(1e9), usual(0))).toBe(-2 * 3 * 5)
})

test('amounts of any size and currency give finite masses', () => {
  for (const amount of [0, -0, 5e-324, 1e-9, 1e15, 1e300, Number.MAX_VALUE]) {
    for (const currency of ['USD', 'KWD', 'IRR', undefined]) {
      const data = { amount, currency, daysLate: amount }
      expect(amountUsd(data)).toBeLessThanOrEqual(1e15)
      for (const type of ['payment.completed', 'payment.failed', 'payment.late'] as const) {
        expect(Math.abs(eventWeight(MODEL, type, data, usual(1)))).toBeLessThanOrEqual(45)
      }
    }
  }
})

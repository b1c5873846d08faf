import { expect, test } from 'vitest'
import { type EventData, REPORTED_TYPES, type ReportedType } from './event.ts'
import { amountUsd, atHardness, impactOf, observationOf } from './event-weight.ts'
import { MODEL } from './model.ts'

const observed = (type: ReportedType, data: EventData = {}) => observationOf(MODEL, type, data)

test('a timeout weighs more than a failure', () => {
  expect(observed('task.timeout')).toBeLessThan(observed('task.failed'))
})

test('an event is at most one observation, whatever its data', () => {
  for (const type of REPORTED_TYPES) {
    for (const amount of [0, 0.01, 1e9, Number.MAX_VALUE]) {
      for (const uptimePercentage of [0, 95, 100]) {
        const data = { amount, daysLate: amount, uptimePercentage, severity: 'critical' as const }
        expect(Math.abs(observed(type, data))).toBeLessThanOrEqual(1)
      }
    }
  }
})

test('the event type decides, not the data’s success field', () => {
  expect(observed('task.completed', { success: false })).toBe(observed('task.completed'))
})

test('a payment counts the same at any amount', () => {
  for (const type of ['payment.completed', 'payment.failed', 'payment.disputed'] as const) {
    expect(observed(type, { amount: 0.01 })).toBe(observed(type, { amount: 1e9 }))
  }
})

test('uptime counts by its percentage: bad below 95 %, neutral at 95 %, at best half a success', () => {
  const up = (uptimePercentage: number) => observed('uptime.report', { uptimePercentage })
  const observations = [0, 60, 94, 95, 96, 99, 99.5, 99.9].map(up)
  expect(observations).toEqual([...observations].sort((a, b) => a - b))
  expect([up(0), up(95), up(99.9), up(100)]).toEqual([-1, 0, 0.5, 0.5])
  expect(observed('uptime.report')).toBe(up(99))
  expect(impactOf(MODEL, 'uptime.report', { uptimePercentage: 0 })).toBe('negative')
  expect(impactOf(MODEL, 'uptime.report', { uptimePercentage: 99 })).toBe('positive')
})

test('each halving of the downtime counts the same, up to three nines', () => {
  const up = (uptimePercentage: number) => observed('uptime.report', { uptimePercentage })
  const step = up(97.5)
  expect(step).toBeGreaterThan(0)
  for (const down of [2.5, 1, 0.5, 0.3]) {
    expect(up(100 - down / 2) - up(100 - down)).toBeCloseTo(step, 12)
  }
})

test('an error weighs strictly more the more severe it is, and counts as medium without a severity', () => {
  const errors = (['critical', 'high', 'medium', 'low'] as const).map((severity) =>
    observed('error.reported', { severity }),
  )
  expect(errors).toEqual([...new Set(errors)].sort((a, b) => a - b))
  expect(observed('error.reported')).toBe(observed('error.reported', { severity: 'medium' }))
})

test('a failed payment weighs more the worse it is: late, later, failed, disputed', () => {
  const late = (daysLate: number) => observed('payment.late', { daysLate })
  const worse = [late(0), late(1), late(30), late(300), observed('payment.failed')]
  expect([...worse, observed('payment.disputed')]).toEqual(
    [...worse, observed('payment.disputed')].sort((a, b) => b - a),
  )
  expect(late(0)).toBe(-0.15)
  expect(late(0.5)).toBeCloseTo(-0.381, 3)
  expect(late(1)).toBeCloseTo(-0.619, 3)
  expect(late(1e9)).toBe(-0.85)
  expect(observed('payment.late')).toBe(-0.65)
})

test('known difficulty only forgives: no failure counts more than at ordinary work', () => {
  for (const hardness of [-99, -3, -0.5, 0, 0.5, 3, 99]) {
    for (const observation of [-1, -0.5, 0, 0.5, 1]) {
      const weighed = atHardness(MODEL, observation, hardness)
      expect(Math.abs(weighed)).toBeLessThanOrEqual(Math.abs(observation))
      expect(Math.sign(weighed)).toBe(Math.sign(observation))
    }
  }
})

test('amounts of any size and currency are finite dollars', () => {
  for (const amount of [0, -0, 5e-324, 1e-9, 1e15, 1e300, Number.MAX_VALUE]) {
    for (const currency of ['USD', 'KWD', 'IRR', undefined]) {
      const usd = amountUsd({ amount, currency })
      expect(usd).toBeGreaterThanOrEqual(0)
      expect(usd).toBeLessThanOrEqual(1e15)
    }
  }
})

import { expect, test } from 'vitest'
import type { EventType } from './event.ts'
import { foldEvents } from './evidence.ts'
import { type Evidence, newEvidence } from './evidence-state.ts'
import { exposureLimit } from './exposure.ts'
import { MODEL } from './model.ts'
import { ownVotes } from './own-vote.ts'
import { DAY_MS } from './time.ts'

const START = 20_000 * DAY_MS

type Payment = readonly [
  reporter: string,
  amount: number | null,
  type?: Extract<EventType, `payment.${string}`>,
  daysLate?: number | undefined,
]

function after(payments: readonly Payment[], before: Evidence = newEvidence(MODEL, START)) {
  return foldEvents(
    MODEL,
    before,
    payments.map(([reporter, amount, type = 'payment.completed', daysLate]) => ({
      type,
      data: amount === null ? {} : { amount, currency: 'USD', daysLate },
      reporter,
      self: false,
      at: START,
    })),
  )
}

const paid = (count: number, reporter: string, amount: number): Payment[] =>
  Array.from({ length: count }, () => [reporter, amount])

const three = after(['p0', 'p1', 'p2'].flatMap((reporter) => paid(100, reporter, 100)))

test('the exposure limit is null until a platform reports a payment', () => {
  expect(exposureLimit(MODEL, newEvidence(MODEL, START), 800)).toBeNull()
})

test('the exposure limit is the amount handled at the lower end of Good, nothing at Poor, twice that at 1000', () => {
  expect(exposureLimit(MODEL, three, 650)).toBe(100)
  expect(exposureLimit(MODEL, three, 1000)).toBe(200)
  expect(exposureLimit(MODEL, three, 300)).toBe(0)
  expect(exposureLimit(MODEL, three, 100)).toBe(0)
})

test('a single large payment raises the limit by less than a fifth; a million takes dozens of them', () => {
  const p0 = after(paid(100, 'p0', 100))
  expect(exposureLimit(MODEL, after([['p0', 1e6]], p0), 650)).toBeLessThan(120)
  expect(exposureLimit(MODEL, after(paid(50, 'p0', 1e6), p0), 650)).toBeLessThan(1e6)
})

test('one platform of three that reports huge payments does not raise the limit', () => {
  const bought = after(paid(100, 'p2', 1e6), three)
  expect(exposureLimit(MODEL, bought, 650)).toBe(100)
})

test('a counterparty that complains again and again halves the limit no more than twice', () => {
  const disputes = (count: number) =>
    foldEvents(
      MODEL,
      three,
      Array.from({ length: count }, () => ['p0', 'p1', 'p2'] as const)
        .flat()
        .map((reporter) => ({
          type: 'payment.disputed' as const,
          data: { amount: 100, currency: 'USD', counterparty: 'rival' },
          reporter,
          self: false,
          at: START,
        })),
    )
  expect(exposureLimit(MODEL, disputes(1), 650)).toBe(50)
  expect(exposureLimit(MODEL, disputes(50), 650)).toBeGreaterThanOrEqual(24)
})

test('platforms that name no amounts do not count', () => {
  const unnamed = ['q0', 'q1', 'q2', 'q3'].flatMap((reporter) =>
    Array.from({ length: 100 }, (): Payment => [reporter, null]),
  )
  expect(exposureLimit(MODEL, after(unnamed, three), 650)).toBe(100)
  expect(exposureLimit(MODEL, after(unnamed), 650)).toBeNull()
})

test('copies of a payment or of a dispute move the limit as little as they count', () => {
  const copies = (type: 'payment.completed' | 'payment.disputed', amount: number) =>
    foldEvents(
      MODEL,
      three,
      Array.from({ length: 50 }, (_, i) =>
        ['p0', 'p1', 'p2'].map((reporter) => ({
          type,
          data: { amount, currency: 'USD' },
          reporter,
          self: false,
          share: 1 / (i + 1),
          at: START,
        })),
      ).flat(),
    )
  // Fifty copies count as four and a half.
  expect(exposureLimit(MODEL, copies('payment.completed', 1e6), 650)).toBeLessThan(230)
  expect(exposureLimit(MODEL, copies('payment.disputed', 100), 650)).toBeGreaterThanOrEqual(3)
})

test('a platform has its weight by its payments also if it names few customers', () => {
  const named = ['p0', 'p1', 'p2'].flatMap((reporter) =>
    Array.from({ length: 100 }, (_, i) => ({
      type: 'payment.completed' as const,
      data: { amount: 100, currency: 'USD', counterparty: `customer-${i % 5}` },
      reporter,
      self: false,
      at: START,
    })),
  )
  const before = foldEvents(MODEL, newEvidence(MODEL, START), named)
  expect(exposureLimit(MODEL, after(paid(60, 'rival', 1e6), before), 650)).toBe(100)
  expect(exposureLimit(MODEL, after(paid(20, 'rival', 0.5), before), 650)).toBe(100)
})

test('platforms whose payments fail again and again bring the limit to nothing', () => {
  const failed = ['p0', 'p1', 'p2'].flatMap((reporter) =>
    Array.from({ length: 20 }, (): Payment => [reporter, 100, 'payment.failed']),
  )
  expect(exposureLimit(MODEL, after(failed, three), 650)).toBe(0)
})

test('payments of cents at platforms that the agent has not worked for do not lower the limit', () => {
  const cents = ['q0', 'q1', 'q2', 'q3'].flatMap((reporter) => paid(10, reporter, 0.5))
  expect(exposureLimit(MODEL, after(cents, three), 650)).toBe(100)
})

test('disputes of cents hardly lower the limit', () => {
  const disputed = ['p0', 'p1', 'p2'].flatMap((reporter) =>
    Array.from({ length: 3 }, (): Payment => [reporter, 0.5, 'payment.failed']),
  )
  expect(exposureLimit(MODEL, after(disputed, three), 650)).toBeGreaterThan(80)
})

test.each([
  ['payment.late', 1 / 24, 89],
  ['payment.late', 1, 65],
  ['payment.late', undefined, 63],
  ['payment.late', 30, 55],
  ['payment.failed', undefined, 53],
  ['payment.disputed', undefined, 50],
] as const)(
  'a payment that goes wrong lowers the limit of $100 in proportion to how bad it is: %s, by %s days, to %i',
  (type, daysLate, left) => {
    const one = after(paid(100, 'p0', 100))
    expect(exposureLimit(MODEL, after([['p0', 100, type, daysLate]], one), 650)).toBe(left)
  },
)

test('three payments that are late by a day lower the limit less than two disputes do', () => {
  const one = after(paid(100, 'p0', 100))
  const afterMany = (count: number, ...payment: Payment) =>
    exposureLimit(
      MODEL,
      after(
        Array.from({ length: count }, () => payment),
        one,
      ),
      650,
    )
  const [late, disputed] = [
    afterMany(3, 'p0', 100, 'payment.late', 1),
    afterMany(2, 'p0', 100, 'payment.disputed'),
  ]
  expect(late).toBeGreaterThan(disputed ?? 0)
})

test('a platform that loses each large deal learns what it carried for itself, others do not', () => {
  const large = Array.from({ length: 3 }, (): Payment => ['p0', 2000, 'payment.disputed'])
  const small = paid(100, 'p0', 10)
  const served = after(['p1', 'p2'].flatMap((reporter) => paid(100, reporter, 2000)))
  const cheated = after([...small, ...large], served)
  expect(exposureLimit(MODEL, cheated, 650)).toBe(2000)
  expect(ownVotes(MODEL, cheated, 650)).toEqual([{ voter: 'p0', good: 100, bad: 3, limitUsd: 0 }])
  expect(ownVotes(MODEL, after(small, served), 650)).toEqual([])
})

test('a dispute without an amount lowers the limit as one of what was carried does', () => {
  const disputed = (amount: number | null) =>
    after(
      ['p0', 'p1', 'p2'].map((reporter): Payment => [reporter, amount, 'payment.disputed']),
      three,
    )
  expect(exposureLimit(MODEL, disputed(100), 650)).toBe(50)
  expect(exposureLimit(MODEL, disputed(null), 650)).toBe(50)
  const unnamed = after([
    ['p0', null],
    ['p0', null, 'payment.disputed'],
  ])
  expect(exposureLimit(MODEL, unnamed, 650)).toBeNull()
})

import { describe, expect, test } from 'vitest'
import type { ReportedData } from '../domain/event.ts'
import { canonicalData, digestOf, fingerprint, placeOfEntry } from './digest.ts'
import type { InspectedEvent } from './rule.ts'

test('digests are the same for a number as for its text, as those that are stored', () => {
  const whole = [0, 7, 10, 999_999_999, 1_000_000_000, 1_767_225_600_000, 2 ** 53 - 1]
  const others = [-5, 149.37, 2 ** 53, 1e21, 5e-7]
  for (const figure of [...whole, ...others]) {
    expect(fingerprint(['p1', figure])).toBe(fingerprint(['p1', String(figure)]))
  }
})

test('digests that are run together are found only where an entry begins', () => {
  expect(placeOfEntry('abcdabxx', 'ab', 4)).toBe(0)
  expect(placeOfEntry('abcdabxx', 'ab', 4, 4)).toBe(4)
  expect(placeOfEntry('xxabxxab', 'ab', 4)).toBe(-1)
  expect(placeOfEntry('', 'ab', 4)).toBe(-1)
})

test('digests of one reporter differ in their first two digits, by which the search skips most entries', () => {
  const starts = Array.from({ length: 100 }, (_, i) => {
    const said = { type: 'task.completed', occurredAt: i, data: {} } as const
    return digestOf({ reporter: { kind: 'platform', id: 'p1' }, ...said } as InspectedEvent).slice(
      0,
      2,
    )
  })
  expect(new Set(starts).size).toBeGreaterThan(80)
})

type Values<T> = readonly [T, T]

/** Two values of every field that callers report: the type asks for those of a field that is added. */
const TWO_VALUES: { readonly [K in keyof ReportedData]-?: Values<NonNullable<ReportedData[K]>> } = {
  duration: [1_200, 1_300],
  success: [true, false],
  errorCode: ['E1', 'E2'],
  amount: [149.37, 149.38],
  currency: ['USD', 'EUR'],
  daysLate: [1, 2],
  uptimePercentage: [99.9, 99.8],
  responseTimeMs: [120, 130],
  errorType: ['timeout', 'crash'],
  severity: ['low', 'high'],
  credentialId: ['c1', 'c2'],
  credentialType: ['KycVerified', 'Audit'],
  difficulty: [1, 2],
  taskClass: ['translation', 'billing'],
  counterparty: ['customer-1', 'customer-2'],
}

describe('events that differ in one field have different texts', () => {
  test.each(Object.entries(TWO_VALUES))('%s', (name, [one, other]) => {
    const texts = [{}, { [name]: one }, { [name]: other }].map(canonicalData)
    expect(new Set(texts).size).toBe(3)
  })
})

import { expect, test } from 'vitest'
import {
  addDecision,
  addReport,
  agreementOf,
  decodeRecord,
  encodeRecord,
  NO_REPORTS,
  type ReporterStats,
  trustIn,
} from './reporter-stats.ts'

function reported(count: number, owners = 1): ReporterStats {
  let record = NO_REPORTS
  for (let i = 0; i < count; i++) {
    record = addReport(record, {
      ownerId: `owner-${i % owners}`,
      today: i + 1,
      isQuarantined: false,
    })
  }
  return record
}

function upheld(record: ReporterStats, count: number): ReporterStats {
  let next = record
  for (let i = 0; i < count; i++) {
    next = addDecision(next, 'upheld', null)
  }
  return next
}

test('a platform that no review found against has its full weight', () => {
  expect(trustIn(NO_REPORTS)).toBe(1)
  expect(agreementOf(NO_REPORTS)).toBe(1)
  expect(trustIn(upheld(reported(20), 9))).toBe(1)
  expect(trustIn(upheld(reported(10_000), 100))).toBe(1)
})

test('one that many reviews found against weighs what is left of its word', () => {
  expect(agreementOf(upheld(reported(100), 40))).toBe(0.6)
  expect(trustIn(upheld(reported(100), 40))).toBe(0.6)
  expect(trustIn(upheld(reported(100), 100))).toBe(0)
})

test('a second decision replaces the first', () => {
  const record = addDecision(upheld(reported(20), 1), 'released', 'upheld')
  expect(record).toMatchObject({ released: 1, upheld: 0 })
})

test('the owner it reports on most is found among many', () => {
  let record = reported(300, 300)
  for (let i = 0; i < 400; i++) {
    record = addReport(record, { ownerId: 'friend', today: 1, isQuarantined: false })
  }
  expect(record.owners.length).toBeLessThanOrEqual(4)
  const friend = record.owners.find(({ ownerId }) => ownerId === 'friend')
  expect(friend?.count).toBeGreaterThan(300)
})

test('a record comes back from its text as it was', () => {
  const record = upheld(reported(50, 3), 2)
  expect(decodeRecord(encodeRecord(record))).toEqual(record)
})

import { expect, test } from 'vitest'
import {
  addDecision,
  addReport,
  agreementOf,
  copyOfStats,
  decodeStats,
  encodeStats,
  NO_REPORTS,
  type ReporterStats,
  shareAfterReviews,
} from './reporter-stats.ts'

function reported(count: number): ReporterStats {
  const stats = copyOfStats(NO_REPORTS)
  for (let i = 0; i < count; i++) {
    addReport(stats, { today: i + 1, isQuarantined: i % 10 === 0 })
  }
  return stats
}

function upheld(before: ReporterStats, count: number): ReporterStats {
  let stats = before
  for (let i = 0; i < count; i++) {
    stats = addDecision(stats, 'upheld', null)
  }
  return stats
}

test('a report counts in full while few of its platform’s events were upheld as quarantined', () => {
  expect(shareAfterReviews(NO_REPORTS)).toBe(1)
  expect(agreementOf(NO_REPORTS)).toBe(1)
  expect(shareAfterReviews(upheld(reported(20), 9))).toBe(1)
  expect(shareAfterReviews(upheld(reported(10_000), 100))).toBe(1)
})

test('a report of a platform with many upheld events counts by the share of its other events', () => {
  expect(agreementOf(upheld(reported(100), 40))).toBe(0.6)
  expect(shareAfterReviews(upheld(reported(100), 40))).toBe(0.6)
  expect(shareAfterReviews(upheld(reported(100), 100))).toBe(0)
})

test('a second decision replaces the first', () => {
  const stats = addDecision(upheld(reported(20), 1), 'released', 'upheld')
  expect(stats).toMatchObject({ released: 1, upheld: 0 })
})

test('stored statistics are read back exactly', () => {
  const stats = upheld(reported(50), 2)
  expect(decodeStats(encodeStats(stats))).toEqual(stats)
})

import { describe, expect, test } from 'vitest'
import { foldEvents } from '../domain/evidence.ts'
import { type Evidence, newEvidence } from '../domain/evidence-state.ts'
import { MODEL } from '../domain/model.ts'
import { DAY_MS } from '../domain/time.ts'
import { addComparison, type ComparedReport, isCompared } from './comparison.ts'
import { isEstablished, isProven, reporterWeight, reportsOnlyProblems } from './establishment.ts'
import { otherReporters } from './other-reporters.ts'
import {
  addCounted,
  copyOfStats,
  type MutableReporterStats,
  NO_REPORTS,
  type ReporterStats,
} from './reporter-stats.ts'

const START = 20_000 * DAY_MS

const NEW = { platform: 'new', voter: null }
const P0 = { platform: 'p0', voter: null }

/** An agent on which two established platforms agree: all good, or all bad. */
function known(isGood: boolean): Evidence {
  const events = Array.from({ length: 200 }, (_, i) => ({
    type: isGood ? ('task.completed' as const) : ('task.timeout' as const),
    data: {},
    reporter: `p${i % 2}`,
    self: false,
    at: START + Math.floor(i / 4) * DAY_MS,
  }))
  return foldEvents(MODEL, newEvidence(MODEL, START), events)
}

const GOOD = known(true)
const BAD = known(false)

interface Course {
  readonly owners: number
  readonly days: number
  readonly everyDays?: number
  /** Of the platform's reports on the first `against` owners' agents. */
  readonly against?: number
  /** Whether anyone else reports on those agents. */
  readonly isKnown?: boolean
}

type Reported = Pick<ComparedReport, 'owner' | 'day' | 'isGood'> & { isFirstOfDay?: boolean }

/** Adds a report on an agent that two established platforms call good. */
function addReport(
  stats: MutableReporterStats,
  { owner, day, isGood, isFirstOfDay = true }: Reported,
): void {
  const others = isCompared(stats, owner, day) ? otherReporters(MODEL, GOOD, NEW) : null
  addCounted(stats, day)
  addComparison(MODEL, stats, { owner, day, isGood, isFirstOfDay, others })
}

function addGood(stats: MutableReporterStats, owner: string, day: number): void {
  addReport(stats, { owner, day, isGood: true })
}

/** A platform that reports once a day, for so many days, as two others that know the agents of so many owners do. */
function agreeing(days: number, { bad, good }: { readonly bad: number; readonly good: number }) {
  const stats = copyOfStats(NO_REPORTS)
  for (let day = 0; day < days; day++) {
    for (let i = 0; i < bad + good; i++) {
      const [owner, isGood] = [`owner-${i}`, i >= bad]
      const others = otherReporters(MODEL, isGood ? GOOD : BAD, NEW)
      addCounted(stats, day)
      addComparison(MODEL, stats, { owner, day, isGood, isFirstOfDay: true, others })
    }
  }
  return stats
}

/** A platform that reports once a day on an agent of each owner. */
function course({
  owners,
  days,
  everyDays = 1,
  against = 0,
  isKnown = true,
}: Course): ReporterStats {
  const stats = copyOfStats(NO_REPORTS)
  for (let day = 0; day < days; day += everyDays) {
    for (let i = 0; i < owners; i++) {
      const owner = `owner-${i}`
      const others =
        isKnown && isCompared(stats, owner, day) ? otherReporters(MODEL, GOOD, NEW) : null
      const isGood = i >= against
      addCounted(stats, day)
      addComparison(MODEL, stats, { owner, day, isGood, isFirstOfDay: true, others })
    }
  }
  return stats
}

describe('a platform is established by its record', () => {
  test('after sixty days with agreement on agents of five owners that others report on too', () => {
    expect(isProven(course({ owners: 5, days: 61 }))).toBe(true)
    expect(isProven(course({ owners: 5, days: 61, everyDays: 2 }))).toBe(true)
  })

  test.each([
    ['in fewer than sixty days, however many owners', { owners: 12, days: 60 }],
    ['with fewer than five owners, however long', { owners: 4, days: 300 }],
    ['with reports on fewer than thirty days', { owners: 12, days: 300, everyDays: 12 }],
    [
      'by reports on agents that no other platform reports on',
      { owners: 12, days: 300, isKnown: false },
    ],
    [
      'where it contradicts others about a third of the owners and more',
      { owners: 9, days: 100, against: 4 },
    ],
  ])('but not %s', (_, given) => {
    expect(isProven(course(given))).toBe(false)
  })

  test('even if it contradicts others about one owner: a defrauded platform keeps its vote', () => {
    expect(isProven(course({ owners: 8, days: 100, against: 1 }))).toBe(true)
  })

  test.each([5, 6, 12])(
    'but not by problems alone, of %s owners, also if all others agree',
    (bad) => {
      expect(isProven(agreeing(61, { bad, good: 0 }))).toBe(false)
      expect(isProven(agreeing(400, { bad, good: 0 }))).toBe(false)
    },
  )

  test.each([
    [5, 1],
    [8, 4],
    [10, 2],
  ])('as an auditor that finds agents of %s owners bad and of %s good', (bad, good) => {
    const stats = agreeing(61, { bad, good })
    expect([isProven(stats), reportsOnlyProblems(stats)]).toEqual([true, false])
  })

  test('as an auditor that finds something good in each of its agents', () => {
    const stats = copyOfStats(agreeing(61, { bad: 6, good: 0 }))
    for (let i = 0; i < 6 * 8; i++) {
      const owner = `owner-${i % 6}`
      addComparison(MODEL, stats, {
        owner,
        day: 61,
        isGood: true,
        isFirstOfDay: false,
        others: null,
      })
    }
    expect(isProven(stats)).toBe(true)
  })

  test('which has at most twelve owners, however many it reports on', () => {
    expect(course({ owners: 40, days: 70 }).owners).toHaveLength(12)
  })

  test.each([13, 40, 400])('on agents of %s owners as on those of five', (owners) => {
    expect(isProven(course({ owners, days: 60 }))).toBe(false)
    for (const days of [61, 75, 100, 140]) {
      expect(isProven(course({ owners, days })), `${days} days`).toBe(true)
    }
  })

  test('on agents of fifty owners, about each of which it reports every tenth day', () => {
    const stats = copyOfStats(NO_REPORTS)
    for (let day = 0; day < 150; day++) {
      for (let i = day % 10; i < 50; i += 10) {
        addGood(stats, `owner-${i}`, day)
      }
    }
    expect(isProven(stats)).toBe(true)
  })

  test('even if each day brings five owners that it never reports on again', () => {
    const stats = copyOfStats(NO_REPORTS)
    for (let day = 0; day < 100; day++) {
      for (let i = 0; i < 5; i++) {
        addGood(stats, `once-${day}-${i}`, day)
      }
      for (let i = 0; i < 20; i++) {
        addGood(stats, `owner-${i}`, day)
      }
    }
    expect(isProven(stats)).toBe(true)
  })

  test('until it contradicts others about most of its owners, those that established it or others', () => {
    const stats = copyOfStats(course({ owners: 40, days: 100 }))
    expect(isProven(stats)).toBe(true)
    for (let day = 100; day < 160; day++) {
      for (let i = 0; i < 40; i++) {
        addReport(stats, { owner: `owner-${i}`, day, isGood: i % 5 === 0 })
      }
    }
    expect(isProven(stats)).toBe(false)
  })
})

test('an agent that only one platform or the crowd reports on is not compared', () => {
  expect(otherReporters(MODEL, newEvidence(MODEL, START), P0)).toBeNull()
  const crowd = Array.from({ length: 50 }, (_, i) => ({
    type: 'task.completed' as const,
    data: {},
    reporter: `x${i}`,
    self: false,
    reporterWeight: 0.1,
    at: START,
  }))
  expect(otherReporters(MODEL, foldEvents(MODEL, newEvidence(MODEL, START), crowd), P0)).toBeNull()
  expect(otherReporters(MODEL, GOOD, P0)?.()).toBeGreaterThan(0.9)
})

test('a platform is not compared with a vote that it shares', () => {
  const by = (reporter: string, type: 'task.completed' | 'task.failed') =>
    ({ type, data: {}, reporter, self: false, at: START }) as const
  // So many deny it that one more lowers the trust.
  const first = Array.from({ length: 24 * 9 }, (_, i) =>
    by(`first-${i % 24}`, i % 24 < 5 ? 'task.failed' : 'task.completed'),
  )
  const bad = Array.from({ length: 200 }, () => by('later', 'task.failed'))
  const one = foldEvents(MODEL, newEvidence(MODEL, START), first)
  const both = foldEvents(MODEL, one, bad)
  const later = { platform: 'later', voter: null }
  const trust = (evidence: typeof one, voting = later) =>
    otherReporters(MODEL, evidence, voting)?.() ?? 0
  expect(trust(both)).toBe(trust(one))
  expect(trust(both, P0)).toBeLessThan(trust(one, P0))
})

test('platforms of one owner are not compared with each other, so none establishes another', () => {
  const by = (reporter: string, voter: string | null) => ({
    type: 'task.completed' as const,
    data: {},
    reporter,
    voter,
    self: false,
    at: START,
  })
  const known = (events: readonly ReturnType<typeof by>[]) =>
    foldEvents(MODEL, newEvidence(MODEL, START), events)
  const others = (evidence: Evidence) =>
    otherReporters(MODEL, evidence, { platform: 'p0', voter: 'owner' })
  const own = [by('p0', 'owner'), by('p1', 'owner'), by('p1', 'owner')]
  expect(others(known(own))).toBeNull()
  expect(others(known([...own, by('p2', null), by('p2', null)]))).not.toBeNull()
  // Nor with what the platform itself reported before voters were recorded.
  expect(others(known([by('p0', null), by('p0', null)]))).toBeNull()
})

test('an established platform’s report weighs one, and another’s third report a half while fewer than two are established', () => {
  const stats = (counted: number) => ({ ...NO_REPORTS, counted })
  expect(reporterWeight(true, stats(0), 0)).toBe(1)
  expect([1, 2, 3, 100].map((counted) => reporterWeight(false, stats(counted), 1))).toEqual([
    0.1, 0.1, 0.5, 0.5,
  ])
  expect(reporterWeight(false, stats(100), 2)).toBe(0.1)
})

describe('a platform reports only problems', () => {
  /** Owners of which it complains only, or reports as the others do, one report a day about each. */
  const reporting = (complaints: number, others: number, days: number) => {
    const stats = copyOfStats(NO_REPORTS)
    for (let day = 0; day < days; day++) {
      for (let i = 0; i < complaints + others; i++) {
        addReport(stats, { owner: `owner-${i}`, day, isGood: i >= complaints })
      }
    }
    return stats
  }

  test('if it complains about most owners, of five at least, whose agents others find good', () => {
    expect(reportsOnlyProblems(reporting(5, 0, 6))).toBe(true)
    expect(reportsOnlyProblems(reporting(9, 3, 6))).toBe(true)
  })

  test.each([
    ['a third of its owners have good reports', reporting(6, 3, 30)],
    ['only four owners cheat it', reporting(4, 0, 100)],
    ['it has fewer than thirty reports', reporting(7, 0, 4)],
    ['others agree that the agents are bad', reporting(6, 0, 3)],
  ])('but not if %s', (_, stats) => {
    expect(reportsOnlyProblems(stats)).toBe(false)
  })

  test('and then counts as established neither by its record nor by the operator', () => {
    const monitor = reporting(5, 0, 6)
    expect([isEstablished(monitor, true), isEstablished(monitor, false)]).toEqual([false, false])
    expect(isEstablished(NO_REPORTS, true)).toBe(true)
    const proven = course({ owners: 5, days: 61 })
    expect([isEstablished(proven, true), isEstablished(proven, false)]).toEqual([true, true])
  })

  test('but not if one owner floods it, however many errors that brings', () => {
    const stats = reporting(0, 5, 30)
    for (let i = 0; i < 20_000; i++) {
      addReport(stats, { owner: 'owner-0', day: 30, isGood: false, isFirstOfDay: i === 0 })
    }
    expect(reportsOnlyProblems(stats)).toBe(false)
  })

  test('but not if a dozen accounts let their orders fail at it, beside ten agents that succeed', () => {
    const stats = reporting(12, 0, 30)
    expect(reportsOnlyProblems(stats)).toBe(true)
    const customer = { owner: 'customer', isGood: true, isFirstOfDay: true, others: null }
    for (let i = 0; i < 10 * 30; i++) {
      addComparison(MODEL, stats, { ...customer, day: Math.floor(i / 10) })
    }
    expect(reportsOnlyProblems(stats)).toBe(false)
  })
})

import { expect, test } from 'vitest'
import { MODEL } from '../domain/model.ts'
import { addComparison } from './comparison.ts'
import { mergeReporterStats, mergeWorkStats } from './merge-stats.ts'
import {
  addCounted,
  addReport,
  copyOfStats,
  NO_REPORTS,
  type ReporterStats,
} from './reporter-stats.ts'
import { addWorkOutcome, copyOfWork, NO_WORK, type WorkStats } from './work-stats.ts'

const OTHERS = () => 0.9

function reported(stats: ReporterStats, owner: string, day: number): ReporterStats {
  const after = copyOfStats(stats)
  addReport(after, { today: 1, isQuarantined: false })
  addCounted(after, day)
  addComparison(MODEL, after, { owner, day, isGood: true, isFirstOfDay: true, others: OTHERS })
  return after
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

test('the statistics of a node are unchanged where no other node wrote', () => {
  let before = NO_REPORTS
  for (const day of [1, 2, 3]) {
    before = reported(before, 'ada', day)
  }
  const after = reported(reported(before, 'bob', 3), 'ada', 4)
  expect(mergeReporterStats(before, after, before)).toEqual(after)
})

test('the statistics of a node are unchanged even if its platform reports on more owners than are remembered', () => {
  let before = NO_REPORTS
  for (let i = 0; i < 1200; i++) {
    const after = reported(before, `owner-${i % 30}`, Math.floor(i / 30))
    expect(mergeReporterStats(before, after, before)).toEqual(after)
    before = after
  }
})

test('the additions of two nodes are merged, and a day that both saw is counted once', () => {
  const before = reported(NO_REPORTS, 'ada', 1)
  const one = reported(before, 'ada', 2)
  const other = reported(before, 'ada', 2)
  const merged = mergeReporterStats(before, one, other)
  expect(merged.events).toBe(3)
  expect(merged.counted).toBe(3)
  expect(merged.activeDays).toBe(2)
  expect(merged.goodAgentDays).toBe(3)
  expect(merged.owners).toEqual([
    { owner: 'ada', good: 3, bad: 0, agreedDays: 2, disputedDays: 0, lastDay: 2 },
  ])
})

test('the order of commits does not change the statistics of a day', () => {
  let decided = [NO_REPORTS]
  for (const owner of ['ada', 'bob', 'ada']) {
    decided = [...decided, reported(decided.at(-1) ?? NO_REPORTS, owner, 1)]
  }
  const steps = decided.slice(1).map((after, i) => ({ before: decided[i] ?? NO_REPORTS, after }))
  const inOrder = decided.at(-1)
  for (const order of ORDERS) {
    const merged = order.reduce((current, i) => {
      const { before, after } = steps[i] ?? { before: current, after: current }
      return mergeReporterStats(before, after, current)
    }, NO_REPORTS)
    const byOwner = (a: { owner: string }, b: { owner: string }) => (a.owner < b.owner ? -1 : 1)
    expect({ ...merged, owners: merged.owners.toSorted(byOwner) }, String(order)).toEqual(inOrder)
  }
})

test('a kind of work keeps the owners and outcomes of both nodes', () => {
  const taught = (stats: WorkStats, owner: string) => {
    const after = copyOfWork(stats)
    addWorkOutcome(after, { owner, isGood: false, agentGood: 9, agentBad: 1, agentTasks: 10 })
    return after
  }
  const before = taught(NO_WORK, 'ada')
  const one = taught(before, 'bob')
  expect(mergeWorkStats(before, one, before)).toEqual(one)
  const merged = mergeWorkStats(before, one, taught(before, 'eve'))
  expect(merged.seen).toBe(3)
  expect([...merged.owners.keys()].toSorted()).toEqual(['ada', 'bob', 'eve'])
})

import { expect, test } from 'vitest'
import { MODEL } from '../domain/model.ts'
import {
  addOwnOutcome,
  addWorkOutcome,
  copyOfWork,
  decodeWork,
  encodeWork,
  hardnessOf,
  NO_WORK,
  teachesAll,
  type WorkStats,
  workKindOf,
} from './work-stats.ts'

/** Outcomes of this many owners' agents, which otherwise succeed nine times in ten. */
function learnt(owners: number, outcomes: number, goodShare: number): WorkStats {
  const stats = copyOfWork(NO_WORK)
  for (let i = 0; i < outcomes; i++) {
    const isGood = (i * 37) % 100 < 100 * goodShare
    addWorkOutcome(stats, {
      owner: `owner-${i % owners}`,
      isGood,
      agentGood: 90,
      agentBad: 10,
      agentTasks: 100,
    })
  }
  return stats
}

/** An agent without a record, and one whose record is as good as any. */
const UNKNOWN = { agentGood: 0, agentBad: 0, agentTasks: 0 }
const KNOWN = { agentGood: 970, agentBad: 30, agentTasks: 1000 }

/** What the statistics of a platform without agents in common with others say. */
const aloneOf = (own: WorkStats, agent = KNOWN) =>
  hardnessOf(MODEL, { own, shared: NO_WORK }, agent)

test('work that fails more often than usual is hard, and work that is always completed is easy', () => {
  expect(aloneOf(learnt(20, 600, 0.4))).toBeGreaterThan(1)
  expect(aloneOf(learnt(20, 600, 0.9))).toBeCloseTo(0, 0)
  expect(aloneOf(learnt(20, 6000, 1))).toBeLessThan(-0.5)
})

test('outcomes of only three owners change nothing, however many', () => {
  expect(aloneOf(learnt(3, 10_000, 0))).toBe(0)
  expect(aloneOf(learnt(6, 10_000, 0))).toBeLessThan(MODEL.hardnessMax)
})

test('what agents without a record teach counts for such agents, and not for an agent with one', () => {
  const stats = copyOfWork(NO_WORK)
  for (let i = 0; i < 120; i++) {
    addWorkOutcome(stats, { owner: `owner-${i % 12}`, isGood: false, ...UNKNOWN })
  }
  expect(aloneOf(stats, UNKNOWN)).toBeGreaterThan(1)
  expect(aloneOf(stats, KNOWN)).toBeLessThan(0.2)
})

test('work at which good agents fail a little less often than usual is not easy', () => {
  expect(aloneOf(learnt(20, 600, 0.95))).toBeCloseTo(0, 3)
})

test('hardness is limited, and stored in thousandths', () => {
  expect(aloneOf(learnt(60, 20_000, 0))).toBe(MODEL.hardnessMax)
  const some = aloneOf(learnt(20, 600, 0.4))
  expect(some).toBe(Math.round(1000 * some) / 1000)
})

test('the statistics of work have a bounded size', () => {
  expect(learnt(1000, 5000, 0.5).owners.size).toBe(64)
})

test('owners of known agents take the places of others, which cannot take all', () => {
  const stats = copyOfWork(NO_WORK)
  for (let i = 0; i < 1000; i++) {
    addWorkOutcome(stats, { owner: `new-${i}`, isGood: false, ...UNKNOWN })
  }
  for (let i = 0; i < 12; i++) {
    addWorkOutcome(stats, { owner: `known-${i}`, isGood: false, ...KNOWN })
  }
  expect(stats.owners.size).toBe(64)
  expect(stats.knownOwners.size).toBe(12)
  expect(aloneOf(stats, KNOWN)).toBeGreaterThan(1)
})

test('a kind of work is identified by platform, class and difficulty, and needs one of the latter two', () => {
  const named = (data: Parameters<typeof workKindOf>[1]) => workKindOf('p', data)?.own
  expect(workKindOf('p', {})).toBeNull()
  expect(named({ taskClass: 'code' })).toBe('p code/0')
  expect(named({ difficulty: 3 })).toBe('p /3')
  expect(named({ taskClass: 'code', difficulty: 2 })).toBe('p code/2')
  const kind = { taskClass: 'code' }
  expect(workKindOf('p', kind)?.shared).toBe(workKindOf('q', kind)?.shared)
  expect(workKindOf('p', kind)?.own).not.toBe(workKindOf('q', kind)?.own)
})

test('a platform starts with the statistics of others, and uses only its own after fifty outcomes', () => {
  const shared = learnt(20, 600, 0.4)
  const begin = { own: NO_WORK, shared }
  expect(hardnessOf(MODEL, begin, KNOWN)).toBe(aloneOf(shared))
  const easy = { isGood: true, agentGood: 90, agentBad: 10, agentTasks: 100 }
  const own = copyOfWork(NO_WORK)
  let taught = 0
  for (let i = 0; i < 60; i++) {
    const owner = `owner-${i % 4}`
    taught += teachesAll({ own, shared }, { ...easy, owner }) ? 1 : 0
    addOwnOutcome(own, shared, { ...easy, owner })
  }
  expect(taught).toBe(50)
  expect(hardnessOf(MODEL, { own, shared }, UNKNOWN)).toBe(aloneOf(own, UNKNOWN))
})

test('statistics are stored with their owners in the order of their first outcome', () => {
  const stats = learnt(3, 8, 0.5)
  const text = encodeWork(stats)
  expect(JSON.parse(text)).toEqual({
    hardness: stats.hardness,
    seen: 8,
    owners: [
      { owner: 'owner-0', count: 3 },
      { owner: 'owner-1', count: 3 },
      { owner: 'owner-2', count: 2 },
    ],
  })
  expect(decodeWork(text)).toEqual(stats)
})

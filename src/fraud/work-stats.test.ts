import { expect, test } from 'vitest'
import { MODEL } from '../domain/model.ts'
import {
  addWorkOutcome,
  hardnessOf,
  learnOutcome,
  NO_WORK,
  type WorkStats,
  workKindOf,
} from './work-stats.ts'

/** Outcomes of so many owners' agents, which otherwise succeed nine times in ten. */
function learnt(owners: number, outcomes: number, goodShare: number): WorkStats {
  let stats = NO_WORK
  for (let i = 0; i < outcomes; i++) {
    const isGood = (i * 37) % 100 < 100 * goodShare
    stats = addWorkOutcome(stats, {
      owner: `owner-${i % owners}`,
      isGood,
      agentGood: 90,
      agentBad: 10,
    })
  }
  return stats
}

/** What a platform knows that shares nothing with others. */
const alone = (own: WorkStats) => ({ own, shared: NO_WORK })

test('work at which agents fail more often than usual is hard, work they always complete is easy', () => {
  expect(hardnessOf(MODEL, alone(learnt(20, 600, 0.4)))).toBeGreaterThan(1)
  expect(hardnessOf(MODEL, alone(learnt(20, 600, 0.9)))).toBeCloseTo(0, 0)
  expect(hardnessOf(MODEL, alone(learnt(20, 600, 1)))).toBeLessThan(-0.5)
})

test('three owners teach nothing, however many outcomes they report', () => {
  expect(hardnessOf(MODEL, alone(learnt(3, 10_000, 0)))).toBe(0)
  expect(hardnessOf(MODEL, alone(learnt(6, 10_000, 0)))).toBeLessThan(MODEL.hardnessMax)
})

test('hardness is limited, and kept in thousandths', () => {
  expect(hardnessOf(MODEL, alone(learnt(60, 20_000, 0)))).toBe(MODEL.hardnessMax)
  const some = hardnessOf(MODEL, alone(learnt(20, 600, 0.4)))
  expect(some).toBe(Math.round(1000 * some) / 1000)
})

test('what is learnt stays bounded in size', () => {
  expect(learnt(1000, 5000, 0.5).owners).toHaveLength(64)
})

test('a kind of work is named by its platform, class and difficulty; without the latter two it has none', () => {
  const named = (data: Parameters<typeof workKindOf>[1]) => workKindOf('p', data)?.own
  expect(workKindOf('p', {})).toBeNull()
  expect(named({ taskClass: 'code' })).toBe('p code/0')
  expect(named({ difficulty: 3 })).toBe('p /3')
  expect(named({ taskClass: 'code', difficulty: 2 })).toBe('p code/2')
  const kind = { taskClass: 'code' }
  expect(workKindOf('p', kind)?.shared).toBe(workKindOf('q', kind)?.shared)
  expect(workKindOf('p', kind)?.own).not.toBe(workKindOf('q', kind)?.own)
})

test('a platform begins with what others learnt, and with fifty outcomes of its own relies on them alone', () => {
  const shared = learnt(20, 600, 0.4)
  const begin = { own: NO_WORK, shared }
  expect(hardnessOf(MODEL, begin)).toBe(hardnessOf(MODEL, alone(shared)))
  const easy = { isGood: true, agentGood: 90, agentBad: 10 }
  let known: Parameters<typeof learnOutcome>[0] = begin
  for (let i = 0; i < 60; i++) {
    known = learnOutcome(known, { ...easy, owner: `owner-${i % 4}` })
  }
  expect(known.shared.seen).toBe(shared.seen + 50)
  expect(hardnessOf(MODEL, known)).toBe(hardnessOf(MODEL, alone(known.own)))
})

import { expect, test } from 'vitest'
import { MODEL } from '../domain/model.ts'
import { addWorkOutcome, hardnessOf, NO_WORK, type WorkStats, workKindOf } from './work-stats.ts'

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

test('work at which agents fail more often than usual is hard, work they always complete is easy', () => {
  expect(hardnessOf(MODEL, learnt(20, 600, 0.4))).toBeGreaterThan(1)
  expect(hardnessOf(MODEL, learnt(20, 600, 0.9))).toBeCloseTo(0, 0)
  expect(hardnessOf(MODEL, learnt(20, 600, 1))).toBeLessThan(-0.5)
})

test('three owners teach nothing, however many outcomes they report', () => {
  expect(hardnessOf(MODEL, learnt(3, 10_000, 0))).toBe(0)
  expect(hardnessOf(MODEL, learnt(6, 10_000, 0))).toBeLessThan(MODEL.hardnessMax)
})

test('hardness is limited, and kept in thousandths', () => {
  expect(hardnessOf(MODEL, learnt(60, 20_000, 0))).toBe(MODEL.hardnessMax)
  const some = hardnessOf(MODEL, learnt(20, 600, 0.4))
  expect(some).toBe(Math.round(1000 * some) / 1000)
})

test('what is learnt stays bounded in size', () => {
  expect(learnt(1000, 5000, 0.5).owners).toHaveLength(64)
})

test('a kind of work is named by its class and its difficulty; without either it has none', () => {
  expect(workKindOf({})).toBeNull()
  expect(workKindOf({ taskClass: 'code' })).toBe('code/0')
  expect(workKindOf({ difficulty: 3 })).toBe('/3')
  expect(workKindOf({ taskClass: 'code', difficulty: 2 })).toBe('code/2')
})

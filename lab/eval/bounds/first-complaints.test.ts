/** What docs/attacks.md says of first complaints about a young agent at many platforms at once. */
import { describe, expect, test } from 'vitest'
import { MODEL } from '../../../src/domain/model.ts'
import { classify } from '../../../src/domain/tiers.ts'
import { GOOD } from '../tiers.ts'
import type { Planned } from './days.ts'
import { extremesOf } from './measures.ts'
import { age, worldWithAgent } from './world.ts'

/** One disputed payment, which is its first report, by each of so many platforms within a second. */
function complain(complaining: number, seed: number) {
  const run = { model: MODEL, mode: 'verified', seed } as const
  const world = worldWithAgent(run, { honest: 3, colluders: complaining }, { days: 20 })
  const before = world.points('agent')
  const complaints = world.colluders.map((by, i): Planned => {
    const data = { amount: 50, currency: 'USD' }
    return { agent: 'agent', ms: 1_000 + i, by, type: 'payment.disputed', data, isAttack: true }
  })
  const extremes = extremesOf(world, 'agent')
  world.play(complaints, extremes.take)
  return { world, before, lowest: Math.round(extremes.lowest) }
}

describe('an honest agent of twenty days at three platforms, about which others complain at once', () => {
  const lowest = (complaining: number) =>
    Math.min(...[101, 102, 103].map((seed) => complain(complaining, seed).lowest))

  test.each([
    [3, 'good'],
    [5, 'fair'],
    [10, 'poor'],
    [20, 'untrusted'],
  ])('with one first dispute at each of %i, is %s', (complaining, tier) => {
    expect(classify(lowest(complaining))).toBe(tier)
  })

  test.each([101, 102, 103])(
    'is Good again within ten days after ten of them (seed %i)',
    (seed) => {
      const { world, before } = complain(10, seed)
      expect(before).toBeGreaterThanOrEqual(GOOD)
      age(world, 'agent', 10)
      expect(world.points('agent')).toBeGreaterThanOrEqual(GOOD)
    },
  )
})

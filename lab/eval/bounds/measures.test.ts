import { expect, test } from 'vitest'
import { MODEL } from '../../../src/domain/model.ts'
import { NEVER } from './bound.ts'
import { eventsUntilBelow, extremesOf } from './measures.ts'
import { worldWithAgent } from './world.ts'

const RUN = { model: MODEL, mode: 'verified', seed: 1 } as const

test('bad events that never bring an agent below a score are counted as never', () => {
  const world = worldWithAgent(RUN, { honest: 2 }, { days: 30 })
  const badDay = () => world.honestDay('agent', { tasks: 1, payments: 0, good: 0 })
  expect(eventsUntilBelow(world, 'agent', 0, badDay)).toBe(NEVER)
})

test('the event that brings an agent below a score is the last one counted', () => {
  const world = worldWithAgent(RUN, { honest: 2 }, { days: 30 })
  const limit = world.points('agent')
  expect(eventsUntilBelow(world, 'agent', limit, () => world.honestDay('agent', { good: 0 }))).toBe(
    1,
  )
})

test('an agent that is attacked loses what its twin keeps', () => {
  const world = worldWithAgent(RUN, { honest: 2 }, { days: 30 })
  const attack = world.honestDay('agent', { good: 0 })
  const extremes = extremesOf(world, 'agent')
  world.play(
    attack.map((event) => ({ ...event, isAttack: true })),
    extremes.take,
  )
  expect(extremes.lost).toBeCloseTo(world.twinPoints('agent') - world.points('agent'), 0)
  expect(extremes.gained).toBe(0)
  expect(extremes.lowest).toBeLessThan(extremes.highest)
})

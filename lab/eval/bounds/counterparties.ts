/** What counterparties can do at platforms that name them. */

import { below, type Chance } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import { FAIR, GOOD } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import type { Planned } from './days.ts'
import { eventsUntilBelow, extremesOf } from './measures.ts'
import { createWorld, type World, worldWithAgent } from './world.ts'

/** Customers of the agent at each platform. */
const CUSTOMERS = 40

/** A day of an agent whose platforms name one of a number of customers in each report. */
function namedDay(world: World, customers: number, good?: number): readonly Planned[] {
  const day = world.honestDay('agent', good === undefined ? {} : { good })
  return day.map((event) => named(event, `customer-${below(world.chance, customers)}`))
}

function named(event: Planned, counterparty: string): Planned {
  return { ...event, data: { ...event.data, counterparty } }
}

function knownAgent(run: Run, platforms: number, customers: number): World {
  const world = worldWithAgent(run, { honest: platforms }, { days: 0 })
  for (let day = 0; day < 180; day++) {
    world.play(namedDay(world, customers))
  }
  return world
}

function honest(run: Run): readonly Check[] {
  const world = knownAgent(run, 3, CUSTOMERS)
  const days = 180
  let belowGood = 0
  for (let day = 0; day < days; day++) {
    world.play(namedDay(world, CUSTOMERS))
    belowGood += world.points('agent') < GOOD ? 1 : 0
  }
  const pointsWith = (customers: number) => knownAgent(run, 3, customers).points('agent')
  const unnamed = worldWithAgent(run, { honest: 3 })
  return [
    {
      measure: '% of days below Good, 40 customers',
      value: (100 * belowGood) / days,
      asked: { most: 0.2 },
    },
    { measure: 'score, 40 customers', value: world.points('agent'), asked: { least: GOOD } },
    { measure: 'the same without names', value: unnamed.points('agent'), asked: {} },
    { measure: 'score, 20 customers', value: pointsWith(20), asked: { least: GOOD } },
    { measure: 'score, 10 customers', value: pointsWith(10), asked: { least: GOOD } },
    { measure: 'score, 3 customers', value: pointsWith(3), asked: { least: FAIR } },
  ]
}

/** Reports of one counterparty at each platform, spread over the day. */
function byOne(chance: Chance, platforms: readonly string[], type: Planned['type']) {
  return platforms.flatMap((by) =>
    Array.from({ length: 100 }, (): Planned => {
      const ms = below(chance, DAY_MS)
      const data = { counterparty: 'attacker' }
      return { agent: 'agent', ms, by, type, data, isAttack: true }
    }),
  )
}

function praise(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 3 })
  world.addAgent('agent')
  let value = 0
  for (let day = 0; day < 60; day++) {
    world.play(byOne(world.chance, world.honest, 'task.completed'))
    value = Math.max(value, world.points('agent'))
  }
  return [{ measure: 'highest score', value, asked: { most: FAIR - 1 } }]
}

function slander(run: Run): readonly Check[] {
  const world = knownAgent(run, 4, CUSTOMERS)
  const extremes = extremesOf(world, 'agent')
  for (let day = 0; day < 30; day++) {
    const attack = byOne(world.chance, world.honest, 'task.timeout')
    world.play([...namedDay(world, CUSTOMERS), ...attack], extremes.take)
  }
  return [
    { measure: 'points lost', value: extremes.lost, asked: { most: 220 } },
    { measure: 'lowest score', value: extremes.lowest, asked: { least: FAIR } },
  ]
}

function exitScam(run: Run, platforms: number): readonly Check[] {
  const world = knownAgent(run, platforms, CUSTOMERS)
  const value = eventsUntilBelow(world, 'agent', GOOD, () => namedDay(world, CUSTOMERS, 0))
  return [{ measure: 'bad events until below Good', value, asked: { most: 20 } }]
}

export const COUNTERPARTIES: readonly Bound[] = [
  {
    row: '26',
    what: 'honest agents of three platforms that name the counterparty',
    run: honest,
  },
  {
    row: '26',
    what: 'one account orders 100 times a day at each of three such platforms',
    run: praise,
  },
  {
    row: '26',
    what: 'one account complains 100 times a day at each of four such platforms',
    run: slander,
  },
  {
    row: '26',
    what: 'all customers of four such platforms are defrauded',
    run: (run) => exitScam(run, 4),
  },
  {
    row: '26',
    what: 'all customers of eleven such platforms are defrauded',
    run: (run) => exitScam(run, 11),
  },
]

/** What some of more platforms than have votes of their own can do to an agent, and what it can hide among them. */

import { below } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import { FAIR, GOOD } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import { attackDay, type Planned } from './days.ts'
import { ANY } from './slander.ts'
import { age, createWorld, type World } from './world.ts'

const DAYS = 60

/** One order at each platform, on one day. */
function orders(world: World, by: readonly string[]): readonly Planned[] {
  return by.map((platform) => ({
    agent: 'agent',
    ms: below(world.chance, DAY_MS),
    by: platform,
    type: 'payment.completed',
    data: { amount: 1 + 9 * world.chance(), currency: 'USD' },
    isAttack: true,
  }))
}

/** The highest score from the third day on of an agent that defrauds some platforms of a payment a day each. */
function hidden(
  run: Run,
  { victims, isServing }: { readonly victims: number; readonly isServing: boolean },
) {
  // As many as have votes of their own.
  const { platformsMax } = run.model
  const world = createWorld(run, { honest: platformsMax, colluders: victims })
  world.addAgent('agent')
  world.play(orders(world, world.honest))
  if (isServing) {
    age(world, 'agent', DAYS, { tasks: 24, payments: 12 })
  }
  let [highest, disputedDays] = [0, 0]
  for (let day = 0; day < DAYS; day++) {
    const fraud = { by: world.colluders, perDay: 1, types: ['payment.disputed' as const] }
    const honest = isServing ? world.honestDay('agent', { tasks: 24, payments: 12 }) : []
    world.play([...honest, ...attackDay(world, 'agent', fraud)])
    highest = day >= 2 ? Math.max(highest, world.points('agent')) : highest
    disputedDays += day >= 2 && world.score('agent').disputed.isDisputed ? 1 : 0
  }
  return { highest, disputedDays }
}

function fraudOnLater(run: Run): readonly Check[] {
  const serving = hidden(run, { victims: 16, isServing: true })
  return [
    { measure: 'highest score, 16 of 40', value: serving.highest, asked: { most: GOOD - 1 } },
    { measure: 'days disputed of 58', value: serving.disputedDays, asked: { least: 58 } },
    {
      measure: 'highest score, 12 of 36',
      value: hidden(run, { victims: 12, isServing: true }).highest,
      asked: { most: GOOD - 1 },
    },
    {
      measure: 'highest score, 16 of 40, with one order at each of the others',
      value: hidden(run, { victims: 16, isServing: false }).highest,
      asked: { most: 199 },
    },
    {
      measure: 'highest score, 4 of 28',
      value: hidden(run, { victims: 4, isServing: true }).highest,
      asked: {},
    },
    {
      measure: 'highest score, 2 of 26',
      value: hidden(run, { victims: 2, isServing: true }).highest,
      asked: {},
    },
  ]
}

interface Slanderers {
  readonly platforms: number
  readonly hostile: number
  /** Whether they have the votes of their own, by a report of each before all others. */
  readonly areFirst: boolean
}

/** The lowest score in a month of six bad reports a day by each. */
function slandered(run: Run, { platforms, hostile, areFirst }: Slanderers): number {
  const world = createWorld(run, { honest: platforms - hostile, colluders: hostile })
  const work = { tasks: platforms / 2, payments: platforms / 5 }
  world.addAgent('agent')
  world.issue('agent', 'honest-0')
  if (areFirst) {
    world.play(orders(world, world.colluders))
  }
  age(world, 'agent', 120, work)
  let lowest = 1000
  for (let day = 0; day < 30; day++) {
    const slander = { by: world.colluders, perDay: 6, types: ANY }
    world.play([...world.honestDay('agent', work), ...attackDay(world, 'agent', slander)])
    lowest = Math.min(lowest, world.points('agent'))
  }
  return lowest
}

function slanderOfMany(run: Run): readonly Check[] {
  const of = (hostile: number, areFirst: boolean) =>
    slandered(run, { platforms: 100, hostile, areFirst })
  return [
    { measure: 'lowest score, 1 that came last', value: of(1, false), asked: { least: GOOD } },
    { measure: 'lowest score, 10 that came last', value: of(10, false), asked: { least: GOOD } },
    { measure: 'lowest score, 10 that came first', value: of(10, true), asked: { least: GOOD } },
  ]
}

function honestOfMany(run: Run): readonly Check[] {
  return [40, 100].flatMap((platforms) =>
    (
      [
        [0.97, 740],
        [0.95, GOOD],
        [0.9, FAIR],
      ] as const
    ).map(([good, least]) => {
      const world = createWorld(run, { honest: platforms })
      world.addAgent('agent')
      world.issue('agent', 'honest-0')
      age(world, 'agent', 180, { tasks: platforms / 2, payments: platforms / 5, good })
      return {
        measure: `score, ${platforms} platforms, ${Math.round(100 * good)} % good`,
        value: world.points('agent'),
        asked: { least },
      }
    }),
  )
}

/** A flawless agent with one report a day, at three platforms in turn or at forty. */
function seldomReported(run: Run): readonly Check[] {
  const [few, many] = [3, 40].map((platforms) => {
    const world = createWorld(run, { honest: platforms })
    world.addAgent('agent')
    return [30, 150].map((days) => {
      age(world, 'agent', days, { tasks: 1, payments: 0, good: 1 })
      return world.points('agent')
    })
  }) as [number[], number[]]
  const below = (i: number) => (few[i] ?? 0) - (many[i] ?? 0)
  return [
    { measure: 'points below three platforms, 40, 30 days', value: below(0), asked: { most: 120 } },
    { measure: 'points below three platforms, 40, 180 days', value: below(1), asked: { most: 60 } },
  ]
}

export const MANY_PLATFORMS: readonly Bound[] = [
  {
    row: '30',
    what: 'an agent serves 24 platforms well, and defrauds others that came later',
    run: fraudOnLater,
  },
  {
    row: '30',
    what: 'some of a hundred platforms slander',
    run: slanderOfMany,
  },
  { row: '30', what: 'honest agents of many platforms', run: honestOfMany },
  { row: '30', what: 'an agent is seldom reported, by many platforms', run: seldomReported },
]

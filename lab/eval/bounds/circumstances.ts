/** What changes of circumstance do to an honest agent. */

import type { EventType } from '../../../src/domain/event.ts'
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts'
import { FAIR, GOOD } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import type { Planned, Work } from './days.ts'
import { extremesOf } from './measures.ts'
import { age, type Panel, worldWithAgent } from './world.ts'

function oneDispute(run: Run): readonly Check[] {
  const after = (panel: Panel, by: string) => {
    const work = { payments: 0 }
    const world = worldWithAgent(run, panel, { work })
    const dispute: Planned = {
      agent: 'agent',
      ms: DAY_MS / 2,
      by,
      type: 'payment.disputed',
      data: { amount: 13_400, currency: 'USD' },
      isAttack: true,
    }
    const extremes = extremesOf(world, 'agent')
    for (let day = 0; day < 60; day++) {
      const events = world.honestDay('agent', work)
      world.play(day === 0 ? [...events, dispute] : events, extremes.take)
    }
    const tierLost = world.twinPoints('agent') >= GOOD && world.points('agent') < GOOD
    return { lost: extremes.lost, tierLost: tierLost ? 1 : 0 }
  }
  return (
    [
      ['by one of 4', { honest: 4 }, 'honest-0'],
      ['by the only one', { honest: 1 }, 'honest-0'],
      ['by a new one of 4', { honest: 3, colluders: 1 }, 'colluder-0'],
      ['by a new one of 2', { honest: 1, colluders: 1 }, 'colluder-0'],
    ] as const
  ).flatMap(([name, panel, by]) => {
    const { lost, tierLost } = after(panel, by)
    return [
      { measure: `points lost, ${name}`, value: lost, asked: { most: 80 } },
      { measure: `tier lost after 60 days, ${name}`, value: tierLost, asked: { most: 0 } },
    ]
  })
}

function cents(run: Run): readonly Check[] {
  const work: Work = { amount: (chance) => 700 + 500 * chance() }
  const world = worldWithAgent(run, { honest: 3, colluders: 1 }, { work, isCertified: false })
  const extremes = extremesOf(world, 'agent')
  for (let day = 0; day < 200; day++) {
    const cent: Planned = {
      agent: 'agent',
      ms: DAY_MS / 3,
      by: 'colluder-0',
      type: 'payment.completed',
      data: { amount: 0.01, currency: 'USD' },
      isAttack: true,
    }
    world.play([...world.honestDay('agent', work), cent], extremes.take)
  }
  const value = Math.max(extremes.lost, extremes.gained)
  const lost = world.twinPoints('agent') - world.points('agent')
  return [
    { measure: 'points lost at the end', value: lost, asked: { most: 20 } },
    { measure: 'largest difference', value, asked: { most: 20 }, holds: { most: 60 } },
  ]
}

function season(run: Run): readonly Check[] {
  const world = worldWithAgent(run, { honest: 4 })
  const rush = world.honestDay('agent', { tasks: 800, payments: 300 })
  const today = world.honestDay('agent')
  world.play([...today, ...rush.map((event) => ({ ...event, isAttack: true }))])
  const difference = () => Math.abs(world.twinPoints('agent') - world.points('agent'))
  const first = difference()
  age(world, 'agent', 10)
  const chance = { most: 60 }
  return [
    { measure: 'quarantined', value: world.counts.quarantined, asked: { most: 0 } },
    { measure: 'difference that evening', value: first, asked: { most: 20 }, holds: chance },
    {
      measure: 'difference after 10 days',
      value: difference(),
      asked: { most: 20 },
      holds: chance,
    },
  ]
}

/** An hour in which everything fails at all platforms, in the middle of an ordinary day. */
function badHour(run: Run, platforms: number, failures: number): readonly Check[] {
  const what = `${platforms} platforms with ${failures} failures each`
  return hourOf(run, { platforms, what, types: repeated(['task.failed'], failures) })
}

/** An hour in which every second task fails. */
function flakyHour(run: Run, platforms: number, failures: number): readonly Check[] {
  const what = `${platforms} platforms, every second of ${2 * failures} tasks`
  return hourOf(run, {
    platforms,
    what,
    types: repeated(['task.failed', 'task.completed'], failures),
  })
}

function repeated(types: readonly EventType[], times: number): readonly EventType[] {
  return Array.from({ length: times }, () => types).flat()
}

interface Hour {
  readonly platforms: number
  readonly what: string
  /** What each of them reports, one after the other. */
  readonly types: readonly EventType[]
}

function hourOf(run: Run, { platforms, what, types }: Hour): readonly Check[] {
  const world = worldWithAgent(run, { honest: platforms })
  const hour = world.honest.flatMap((by) =>
    types.map((type, i): Planned => {
      const ms = DAY_MS / 2 + (HOUR_MS / types.length) * (i + world.chance())
      return { agent: 'agent', ms, by, type, data: {}, isAttack: true }
    }),
  )
  let lowest = 1000
  world.play([...world.honestDay('agent'), ...hour], (at) => {
    lowest = Math.min(lowest, world.points('agent', at))
  })
  let days = 0
  for (let day = 0; day < 30; day++) {
    days += world.points('agent') < GOOD && world.twinPoints('agent') >= GOOD ? 1 : 0
    world.play(world.honestDay('agent'))
  }
  return [
    { measure: `lowest score, ${what}`, value: lowest, asked: { least: FAIR } },
    { measure: `days below Good, ${what}`, value: days, asked: { most: 2 } },
  ]
}

export const CIRCUMSTANCES: readonly Bound[] = [
  {
    row: '6',
    what: 'one disputed payment of an agent that only works',
    before: '671 to 255 .. 373, not back in a year',
    run: oneDispute,
  },
  {
    row: '7',
    what: '200 payments of $0.01 reported by a rival',
    before: '849 to 71 in a year',
    run: cents,
  },
  {
    row: '9',
    what: 'a hundred times the usual volume for a day',
    before: '819 to 647',
    run: season,
  },
  {
    row: '22',
    what: 'one bad hour at all platforms',
    run: (run) => [
      ...badHour(run, 3, 3),
      ...badHour(run, 4, 3),
      ...badHour(run, 11, 2),
      ...badHour(run, 11, 3),
      ...flakyHour(run, 3, 3),
      ...flakyHour(run, 11, 3),
    ],
  },
]

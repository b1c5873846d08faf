/** What praise by accomplices can buy. */
import { EXCELLENT, GOOD } from '../tiers.ts'
import { type Bound, type Check, NEVER, type Run } from './bound.ts'
import { attackDay } from './days.ts'
import { PRAISE } from './slander.ts'
import { age, createWorld, worldWithAgent } from './world.ts'

/** An agent of a share of good work at three platforms, praised by a fourth. */
function praised(run: Run, good: number, perDay: number): { highest: number; last: number } {
  const world = createWorld(run, { honest: 3, colluders: 1 })
  world.addAgent('agent')
  world.issue('agent', 'colluder-0')
  let highest = 0
  for (let day = 0; day < 90; day++) {
    const work = world.honest.flatMap((platform) => {
      const tasks = day === 0 || world.chance() < 0.6 ? 1 : 0
      return world.honestDay('agent', { good, tasks, payments: 0, on: [platform] })
    })
    const praise = { by: world.colluders, perDay, types: PRAISE, good: 1 }
    world.play([...work, ...attackDay(world, 'agent', praise)], (at) => {
      highest = Math.max(highest, world.points('agent', at))
    })
  }
  return { highest, last: world.points('agent') }
}

/** Days on which a worthless agent is Good that was praised for a month before others report on it. */
function daysGood(run: Run, perDay: number): number {
  const world = createWorld(run, { honest: 3, colluders: 1 })
  world.addAgent('agent')
  world.issue('agent', 'colluder-0')
  const praise = { by: world.colluders, perDay: 8, types: PRAISE, good: 1 }
  let days = 0
  for (let day = 0; day < 60; day++) {
    const on = world.honest.filter(() => day >= 30 && world.chance() < perDay)
    const bad = on.flatMap((platform) =>
      world.honestDay('agent', { good: 0, tasks: 1, payments: 0, on: [platform] }),
    )
    world.play([...bad, ...attackDay(world, 'agent', praise)])
    days += day >= 35 && world.points('agent') >= GOOD ? 1 : 0
  }
  return days
}

function badPraised(run: Run): readonly Check[] {
  const bad = praised(run, 0, 10)
  const better = praised(run, 0.15, 10)
  return [
    { measure: 'highest score', value: bad.highest, asked: { most: 350 } },
    {
      measure: 'highest score, 200 a day',
      value: praised(run, 0, 200).highest,
      asked: { most: 350 },
    },
    {
      measure: 'points of an agent of 15 % good above it',
      value: better.last - bad.last,
      asked: { least: 0 },
    },
    {
      measure: 'days Good after five days of reports, half a one a day',
      value: daysGood(run, 0.5),
      asked: { most: 0 },
    },
  ]
}

/** Days until Good and Excellent by praise of a number of established platforms alone. */
function bribed(run: Run, colluders: number): { good: number; excellent: number } {
  const world = createWorld(run, { honest: 3, colluders })
  world.addAgent('agent')
  for (const by of world.colluders) {
    for (let i = 0; i < 6; i++) {
      world.issue('agent', by, { type: `T${i}` })
    }
  }
  let [good, excellent] = [NEVER, NEVER]
  for (let day = 0; day < 90; day++) {
    const perDay = day < 20 ? 300 : 30
    world.play(attackDay(world, 'agent', { by: world.colluders, perDay, types: PRAISE, good: 1 }))
    const { score } = world.score('agent')
    good = score >= GOOD ? Math.min(good, day) : good
    excellent = score >= EXCELLENT ? Math.min(excellent, day) : excellent
  }
  return { good, excellent }
}

function bribery(run: Run): readonly Check[] {
  const [one, two] = [bribed(run, 1), bribed(run, 2)]
  return [
    { measure: 'one: days to Good', value: one.good, asked: { least: 14 } },
    { measure: 'one: days to Excellent', value: one.excellent, asked: { least: NEVER } },
    { measure: 'two: days to Excellent', value: two.excellent, asked: { least: 60 } },
  ]
}

/** An agent that only works, and payments at a fourth platform, of which some are good. */
function firstPayments(run: Run): readonly Check[] {
  const payments = 0
  const gained = (days: number, perDay: number, good: number) => {
    const world = worldWithAgent(run, { honest: 3, colluders: 1 }, { work: { payments } })
    const campaign = { by: world.colluders, perDay, types: ['payment.disputed'] as const, good }
    for (let day = 0; day < days; day++) {
      world.play([
        ...world.honestDay('agent', { payments }),
        ...attackDay(world, 'agent', campaign),
      ])
    }
    const rest = days > 1 ? 30 : 0
    age(world, 'agent', rest, { payments })
    return world.points('agent') - world.twinPoints('agent')
  }
  return [
    { measure: 'points gained by one payment', value: gained(1, 1, 1), asked: { most: 10 } },
    {
      measure: 'points gained a month after a month of payments, half of them disputed',
      value: gained(30, 3, 0.5),
      asked: { most: 10 },
    },
  ]
}

/** Victims fall silent after ten days; accomplices go on praising for half a year. */
function silentVictims(run: Run): readonly Check[] {
  const after = (colluders: number) => {
    const world = createWorld(run, { honest: 3, colluders })
    world.addAgent('agent')
    world.issue('agent', 'colluder-0')
    const campaign = { by: world.colluders, perDay: 6, types: PRAISE, good: 1 }
    let [highest, disputedDays] = [0, 0]
    for (let day = 0; day < 190; day++) {
      const bad = day < 10 ? world.honestDay('agent', { good: 0 }) : []
      world.play([...bad, ...attackDay(world, 'agent', campaign)])
      if (day >= 10) {
        highest = Math.max(highest, world.points('agent'))
        disputedDays += world.score('agent').disputed.isDisputed ? 1 : 0
      }
    }
    return { highest, disputedDays }
  }
  const [one, two] = [after(1), after(2)]
  return [
    { measure: 'highest score, one accomplice', value: one.highest, asked: { most: 500 } },
    {
      measure: 'highest score, two accomplices',
      value: two.highest,
      asked: {},
      holds: { most: 640 },
    },
    {
      measure: 'days disputed of 180, two accomplices',
      value: two.disputedDays,
      asked: { least: 180 },
    },
  ]
}

export const PRAISED: readonly Bound[] = [
  {
    row: '2',
    what: 'an agent of 0 % good at three platforms, praised by a fourth',
    before: '852 at most; 843 on day 90',
    run: badPraised,
  },
  {
    row: '12',
    what: 'an agent known only to one or two bribed platforms',
    before: 'Good on day 15, Excellent on day 23',
    run: bribery,
  },
  {
    row: '12',
    what: 'first payments of an agent that only works',
    run: firstPayments,
  },
  {
    row: '25',
    what: 'three cheated platforms stop reporting, accomplices keep praising',
    run: silentVictims,
  },
]

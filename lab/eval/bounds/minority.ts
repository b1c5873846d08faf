/** What some platforms of several can do to an agent, down and up. */
import { FAIR, GOOD } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import { attackDay } from './days.ts'
import { extremesOf } from './measures.ts'
import { ANY, PAYMENTS, PRAISE, type Slander, slander, TASKS } from './slander.ts'
import { worldWithAgent } from './world.ts'

function fraudOnOne(run: Run): readonly Check[] {
  const plan = { platforms: 4, hostile: 1, types: ['payment.disputed' as const] }
  const harm = slander(run, { ...plan, days: 90, perDay: 10 })
  const slow = slander(run, { ...plan, days: 40, perDay: 3 })
  // The attack begins on the first day of a week.
  const closed = slander(run, { ...plan, age: 182, days: 21, perDay: 10, isClosedAtWeekends: true })
  const covered = [0.3, 0.5].map((camouflage) => ({
    measure: `highest score, ${100 * camouflage} % good reports`,
    value: slander(run, { ...plan, days: 60, perDay: 20, camouflage }).highest,
    asked: { most: GOOD - 1 },
  }))
  return [
    { measure: 'highest score from day 3', value: harm.highest, asked: { most: GOOD - 1 } },
    { measure: 'days disputed of 88', value: harm.disputedDays, asked: { least: 88 } },
    { measure: 'highest score, 3 a day', value: slow.highest, asked: { most: GOOD - 1 } },
    {
      measure: 'highest score, no reports at weekends',
      value: closed.highest,
      asked: { most: GOOD - 1 },
    },
    ...covered,
  ]
}

function slanderBy(platforms: number, harmMax: number): Bound['run'] {
  return (run) => {
    const harm = slander(run, { platforms, hostile: 2 })
    return [
      { measure: 'points lost', value: harm.points, asked: { most: harmMax } },
      { measure: 'days until Good again', value: harm.backDays, asked: { most: 10 } },
    ]
  }
}

interface Praise {
  readonly platforms: number
  /** The share of the agent's work that is good. */
  readonly good: number
  /** Issued by each of the two that praise. */
  readonly credentials: number
  readonly gainMax: number
}

function praiseBy({ platforms, good, credentials, gainMax }: Praise): Bound['run'] {
  return (run) => {
    const bad = { good }
    const panel = { honest: platforms - 2, colluders: 2 }
    const world = worldWithAgent(run, panel, { work: bad, isCertified: credentials === 0 })
    for (const by of world.colluders) {
      for (let i = 0; i < credentials; i++) {
        world.issue('agent', by, { type: `Type${i}`, isAttack: true })
      }
    }
    const campaign = { by: world.colluders, perDay: 6, types: PRAISE, good: 1 }
    const extremes = extremesOf(world, 'agent')
    for (let day = 0; day < 30; day++) {
      const events = [...world.honestDay('agent', bad), ...attackDay(world, 'agent', campaign)]
      world.play(events, extremes.take)
    }
    return [{ measure: 'points gained', value: extremes.gained, asked: { most: gainMax } }]
  }
}

/** One of four at several rates and with several types; the worst of them. */
function oneOfFour(isEstablished: boolean, agent: Pick<Slander, 'age' | 'work'>): Bound['run'] {
  return (run) => {
    const rates = isEstablished
      ? ([
          [1, ANY],
          [6, TASKS],
          [20, PAYMENTS],
          [200, ANY],
        ] as const)
      : ([
          [1, ANY],
          [20, PAYMENTS],
          [200, TASKS],
        ] as const)
    const harms = rates.map(([perDay, types]) =>
      slander(run, { platforms: 4, hostile: 1, days: 20, isEstablished, perDay, types, ...agent }),
    )
    const points = Math.max(...harms.map((harm) => harm.points))
    if (!isEstablished) {
      return [{ measure: 'points lost', value: points, asked: { most: 60 } }]
    }
    const lowest = Math.min(...harms.map((harm) => harm.lowest))
    const backDays = Math.max(...harms.map((harm) => harm.backDays))
    return [
      { measure: 'points lost', value: points, asked: { most: 220 } },
      { measure: 'lowest score', value: lowest, asked: { least: FAIR } },
      { measure: 'days until Good again', value: backDays, asked: { most: 30 } },
    ]
  }
}

function camouflaged(run: Run): readonly Check[] {
  return [0.3, 0.5, 0.7].map((camouflage) => ({
    measure: `points lost, ${100 * camouflage} % good reports`,
    value: slander(run, { platforms: 4, hostile: 1, perDay: 20, camouflage }).points,
    asked: { most: 220 },
  }))
}

function turned(run: Run): readonly Check[] {
  const praised = { praisedDays: 50, perDay: 20 }
  return [
    {
      measure: 'points lost, 1 of 4',
      value: slander(run, { platforms: 4, hostile: 1, ...praised }).points,
      asked: { most: 220 },
    },
    {
      measure: 'points lost, 2 of 7',
      value: slander(run, { platforms: 7, hostile: 2, ...praised }).points,
      asked: { most: 220 },
    },
  ]
}

function outsidersAgainst(run: Run): readonly Check[] {
  const { points } = slander(run, { platforms: 13, hostile: 10, isEstablished: false, perDay: 20 })
  return [{ measure: 'points lost', value: points, asked: { most: 60 } }]
}

const tasksOnly = { work: { payments: 0 } }

export const MINORITY: readonly Bound[] = [
  {
    row: '3',
    what: 'a fourth platform is defrauded of 10 payments a day, three are served well',
    before: '831, 767, 832: Good on all 90 days',
    run: fraudOnOne,
  },
  ...(
    [
      [5, 320],
      [7, 220],
      [11, 120],
    ] as const
  ).flatMap(([platforms, most]): Bound[] => [
    {
      row: '4',
      what: `2 of ${platforms} platforms slander`,
      before: '819 to 132, back after 95 days',
      run: slanderBy(platforms, most),
    },
    {
      row: '4',
      what: `2 of ${platforms} platforms praise an agent of 35 % good`,
      run: praiseBy({ platforms, good: 0.35, credentials: 0, gainMax: most }),
    },
    {
      row: '4',
      what: `2 of ${platforms} platforms praise an agent of 50 % good without a credential, and issue two each`,
      run: praiseBy({ platforms, good: 0.5, credentials: 2, gainMax: most }),
    },
  ]),
  {
    row: '5',
    what: '1 of 4 slanders, established',
    before: '755',
    run: oneOfFour(true, {}),
  },
  {
    row: '5',
    what: '1 of 4 slanders an agent that only works',
    before: '660 to 142',
    run: oneOfFour(true, tasksOnly),
  },
  {
    row: '5',
    what: '1 of 4 slanders an agent of 20 days',
    before: '715 to 324',
    run: oneOfFour(true, { age: 20 }),
  },
  {
    row: '5',
    what: '1 of 4 slanders an agent of 20 days that only works',
    run: oneOfFour(true, { age: 20, ...tasksOnly }),
  },
  { row: '5', what: '1 of 4 slanders, not established', run: oneOfFour(false, {}) },
  {
    row: '5',
    what: '1 of 4 slanders an agent of 20 days, not established',
    run: oneOfFour(false, { age: 20 }),
  },
  {
    row: '5',
    what: '10 platforms that are not established slander against 3 that are',
    run: outsidersAgainst,
  },
  { row: '5', what: '1 of 4 slanders under camouflage', run: camouflaged },
  {
    row: '21',
    what: 'platforms that praised for 50 days slander',
    before: '758 to 504 and 235',
    run: turned,
  },
]

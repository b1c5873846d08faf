/** What praise without weight can buy: by crowds, by the agent itself, by copies and made-up credentials. */
import type { EventType } from '../../../src/domain/event.ts'
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts'
import { FAIR } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import { attackDay, type Planned } from './days.ts'
import { extremesOf } from './measures.ts'
import { PRAISE } from './slander.ts'
import { age, createWorld, type Panel, type World, worldWithAgent } from './world.ts'

const BAD: readonly EventType[] = ['task.failed', 'task.timeout', 'payment.disputed']

function selfFlood(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 2 })
  world.addAgent('agent')
  let honest = 0
  for (let day = 0; day < 5; day++) {
    const events = world.honestDay('agent', { good: 0 })
    honest += events.length
    const flood = Array.from({ length: 2400 }, (_, i): Planned => {
      const ms = Math.floor(i / 100) * HOUR_MS + (i % 100) * 1000
      return { agent: 'agent', ms, by: null, type: 'task.completed', data: {}, isAttack: true }
    })
    world.play([...events, ...flood])
  }
  const { platformReported } = world.score('agent').evidence
  return [
    { measure: 'bad reports lost', value: honest - platformReported, asked: { most: 0 } },
    { measure: 'score', value: world.points('agent'), asked: { most: 100 } },
  ]
}

function crowdPraise(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 3, outsiders: 20 })
  world.addAgent('agent')
  for (const by of world.outsiders) {
    world.issue('agent', by)
  }
  let value = 0
  for (let day = 0; day < 120; day++) {
    const campaign = { by: world.outsiders, perDay: 10, types: PRAISE, good: 1 }
    world.play(attackDay(world, 'agent', campaign))
    value = Math.max(value, world.points('agent'))
  }
  return [{ measure: 'highest score', value, asked: { most: FAIR - 1 } }]
}

interface Crowd {
  readonly isGood: boolean
  /** One report a day instead of all on one day. */
  readonly isSpread?: boolean
  /** Whether other platforms report on the agent too. */
  readonly isWorking?: boolean
}

/** Each of a hundred reporters reports once. */
function hundred(world: World, { isGood, isSpread = false, isWorking = false }: Crowd) {
  const extremes = extremesOf(world, 'agent')
  for (let day = 0; day < (isSpread ? 100 : 1); day++) {
    const by = isSpread ? world.outsiders.slice(day, day + 1) : world.outsiders
    const campaign = { by, perDay: 1, types: isGood ? PRAISE : BAD, good: isGood ? 1 : 0 }
    const honest = isWorking ? world.honestDay('agent') : []
    world.play([...honest, ...attackDay(world, 'agent', campaign)], extremes.take)
  }
  const { highest, lost, gained } = extremes
  return { highest, difference: Math.max(lost, gained) }
}

function hundredReporters(run: Run): readonly Check[] {
  const panel = { honest: 3, outsiders: 100 }
  const newInstallation = { honest: 0, outsiders: 100, isNewInstallation: true }
  const highestOf = (panel: Panel, isSpread: boolean) => {
    const world = createWorld(run, panel)
    world.addAgent('agent')
    return hundred(world, { isGood: true, isSpread }).highest
  }
  const differenceOf = (isGood: boolean) =>
    hundred(worldWithAgent(run, panel), { isGood, isWorking: true }).difference
  return [
    { measure: 'score of a new agent', value: highestOf(panel, false), asked: { most: 300 } },
    {
      measure: 'score of a new agent, one a day',
      value: highestOf(panel, true),
      asked: { most: 300 },
    },
    {
      measure: 'score of a new agent, new installation',
      value: highestOf(newInstallation, true),
      asked: { most: 300 },
    },
    {
      measure: 'points lost or gained by a known agent, bad reports',
      value: differenceOf(false),
      asked: { most: 60 },
    },
    {
      measure: 'points lost or gained by a known agent, good reports',
      value: differenceOf(true),
      asked: { most: 60 },
    },
  ]
}

function unissued(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 2 })
  world.addAgent('agent')
  const before = world.points('agent')
  const events = Array.from({ length: 8 }, (_, i): Planned => {
    const data = { credentialId: `none-${i}`, credentialType: `T${i}` }
    return {
      agent: 'agent',
      ms: i * HOUR_MS,
      by: 'honest-0',
      type: 'credential.issued',
      data,
      isAttack: true,
    }
  })
  world.play(events)
  return [{ measure: 'points gained', value: world.points('agent') - before, asked: { most: 0 } }]
}

function copies(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 2 })
  world.addAgent('agent')
  age(world, 'agent', 90)
  const before = world.points('agent')
  const payment = { amount: 123.45, currency: 'USD' }
  const copy = (i: number): Planned => ({
    agent: 'agent',
    ms: Math.floor((i * DAY_MS) / 1000),
    by: 'honest-0',
    type: 'payment.completed',
    data: payment,
    isAttack: true,
  })
  world.play(Array.from({ length: 1000 }, (_, i) => copy(i)))
  const value = world.points('agent') - Math.max(before, world.twinPoints('agent'))
  return [{ measure: 'points gained', value, asked: { most: 10 } }]
}

/** Fifty copies a day for twenty days, by one of three platforms. */
function copiesOverDays(run: Run): readonly Check[] {
  return (
    [
      ['points gained, $123.45', 123.45, 30],
      ['points gained, $250', 250, 60],
    ] as const
  ).map(([measure, amount, held]) => {
    const world = worldWithAgent(run, { honest: 3 }, { days: 90 })
    const extremes = extremesOf(world, 'agent')
    for (let day = 0; day < 20; day++) {
      const copies = Array.from({ length: 50 }, (_, i): Planned => {
        const data = { amount, currency: 'USD' }
        const ms = Math.floor((i * DAY_MS) / 50)
        return {
          agent: 'agent',
          ms,
          by: 'honest-0',
          type: 'payment.completed',
          data,
          isAttack: true,
        }
      })
      world.play([...world.honestDay('agent'), ...copies])
      extremes.take()
    }
    return { measure, value: extremes.gained, asked: { most: 10 }, holds: { most: held } }
  })
}

export const WEIGHTLESS: readonly Bound[] = [
  {
    row: '1',
    what: 'an agent sends 100 self-reports an hour while platforms report only bad events',
    before: 'no bad report accepted',
    run: selfFlood,
  },
  {
    row: '12',
    what: 'twenty platforms that are not established praise an agent',
    run: crowdPraise,
  },
  {
    row: '13',
    what: 'a platform reports 8 credentials that were never issued',
    before: '134 points',
    run: unissued,
  },
  {
    row: '14',
    what: 'one payment reported 1,000 times',
    before: '56 points',
    run: copies,
  },
  {
    row: '14',
    what: 'one payment reported 50 times a day for twenty days',
    run: copiesOverDays,
  },
  {
    row: '23',
    what: '100 reporters with one report each',
    before: '362; 758 to 593',
    run: hundredReporters,
  },
]

/** What praise can buy: by accomplices, by crowds, by the agent itself. */
import type { EventType } from '../../../src/domain/event.ts'
import type { Bound, Check, Run } from './bound.ts'
import { age, attackDay, createWorld, DAY_MS, type Planned, type World } from './world.ts'

const PRAISE: readonly EventType[] = ['task.completed', 'payment.completed']
const BAD: readonly EventType[] = ['task.failed', 'task.timeout', 'payment.disputed']
const HOUR_MS = 3_600_000

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

function badPraised(run: Run): readonly Check[] {
  const bad = praised(run, 0, 10)
  const better = praised(run, 0.15, 10)
  return [
    { measure: 'highest', value: bad.highest, asked: { most: 350 } },
    { measure: 'highest, 200 a day', value: praised(run, 0, 200).highest, asked: { most: 350 } },
    {
      measure: 'an agent of 15 % good above it',
      value: better.last - bad.last,
      asked: { least: 0 },
    },
  ]
}

const NEVER = 999

/** Days until Good and Excellent by praise of so many established platforms alone. */
function bribed(run: Run, colluders: number): { good: number; excellent: number } {
  const world = createWorld(run, { honest: 3, colluders })
  world.addAgent('agent')
  for (const by of world.colluders) {
    for (let i = 0; i < 6; i++) {
      world.issue('agent', by, `T${i}`)
    }
  }
  let [good, excellent] = [NEVER, NEVER]
  for (let day = 0; day < 90; day++) {
    const perDay = day < 20 ? 300 : 30
    world.play(attackDay(world, 'agent', { by: world.colluders, perDay, types: PRAISE, good: 1 }))
    const { score } = world.score('agent')
    good = score >= 650 ? Math.min(good, day) : good
    excellent = score >= 800 ? Math.min(excellent, day) : excellent
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
  return [{ measure: 'highest', value, asked: { most: 499 } }]
}

/** Each of a hundred reporters reports once, on one day or one a day. */
function hundred(run: Run, world: World, isGood: boolean, isSpread: boolean, isKnown: boolean) {
  let [highest, difference] = [0, 0]
  for (let day = 0; day < (isSpread ? 100 : 1); day++) {
    const by = isSpread ? world.outsiders.slice(day, day + 1) : world.outsiders
    const campaign = { by, perDay: 1, types: isGood ? PRAISE : BAD, good: isGood ? 1 : 0 }
    const honest = isKnown ? world.honestDay('agent') : []
    world.play([...honest, ...attackDay(world, 'agent', campaign)], (at) => {
      const now = world.points('agent', at)
      highest = Math.max(highest, now)
      difference = Math.max(difference, Math.abs(world.twinPoints('agent', at) - now))
    })
  }
  return { highest, difference, run }
}

function newcomer(run: Run, isNewInstallation: boolean): World {
  const honest = isNewInstallation ? 0 : 3
  const world = createWorld(run, { honest, outsiders: 100, isNewInstallation })
  world.addAgent('agent')
  return world
}

function known(run: Run): World {
  const world = createWorld(run, { honest: 3, outsiders: 100 })
  world.addAgent('agent')
  world.issue('agent', 'honest-0')
  age(world, 'agent', 180)
  return world
}

function hundredReporters(run: Run): readonly Check[] {
  const atOnce = hundred(run, newcomer(run, false), true, false, false).highest
  const spread = hundred(run, newcomer(run, false), true, true, false).highest
  const installation = hundred(run, newcomer(run, true), true, true, false).highest
  const bad = hundred(run, known(run), false, false, true).difference
  const good = hundred(run, known(run), true, false, true).difference
  return [
    { measure: 'newcomer', value: atOnce, asked: { most: 300 } },
    { measure: 'newcomer, one a day', value: spread, asked: { most: 300 } },
    { measure: 'newcomer, new installation', value: installation, asked: { most: 300 } },
    { measure: 'known agent, bad reports', value: bad, asked: { most: 60 } },
    { measure: 'known agent, good reports', value: good, asked: { most: 60 } },
  ]
}

/** Victims fall silent after ten days; accomplices go on praising for half a year. */
function silentVictims(run: Run): readonly Check[] {
  const after = (colluders: number) => {
    const world = createWorld(run, { honest: 3, colluders })
    world.addAgent('agent')
    world.issue('agent', 'colluder-0')
    const campaign = { by: world.colluders, perDay: 6, types: PRAISE, good: 1 }
    let highest = 0
    for (let day = 0; day < 190; day++) {
      const bad = day < 10 ? world.honestDay('agent', { good: 0 }) : []
      world.play([...bad, ...attackDay(world, 'agent', campaign)])
      highest = day < 10 ? 0 : Math.max(highest, world.points('agent'))
    }
    return highest
  }
  return [
    { measure: 'highest, one accomplice', value: after(1), asked: { most: 500 } },
    { measure: 'highest, two accomplices', value: after(2), asked: {}, holds: { most: 640 } },
  ]
}

function unissued(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 2 })
  world.addAgent('agent')
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
  return [{ measure: 'points gained', value: world.points('agent') - 100, asked: { most: 0 } }]
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

export const PRAISED: readonly Bound[] = [
  {
    row: '1',
    what: 'an agent sends 100 self-reports an hour while platforms report only bad',
    before: 'no bad report taken',
    run: selfFlood,
  },
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
    what: 'twenty platforms that are not established praise an agent',
    before: '',
    run: crowdPraise,
  },
  {
    row: '13',
    what: 'a platform reports 8 credentials that nobody issued',
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
    row: '23',
    what: '100 reporters with one report each',
    before: '362; 758 to 593',
    run: hundredReporters,
  },
  {
    row: '25',
    what: 'three cheated platforms fall silent, accomplices praise on',
    before: '',
    run: silentVictims,
  },
]

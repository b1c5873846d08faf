/** What platforms that report only uptime do for an agent, beside one that reports deals. */
import { DAY_MS, MINUTE_MS } from '../../../src/domain/time.ts'
import { FAIR, GOOD } from '../tiers.ts'
import { type Bound, type Check, NEVER, type Run } from './bound.ts'
import type { Planned } from './days.ts'
import { createWorld, type World } from './world.ts'

const DAYS = 90

const DAYS_OF_SLANDER = 30

const CHEATS_MAX = 60

const DAYS_OF_OUTAGE = 60

/** Days of an outage until it has to be seen. */
const DAYS_TO_SEE = 5

/** Each of them reports an uptime of 99.95 % once a day. */
function uptimeDay(monitors: readonly string[]): readonly Planned[] {
  const data = { uptimePercentage: 99.95 }
  return monitors.map((by, i): Planned => {
    return { agent: 'agent', ms: i, by, type: 'uptime.report', data, isAttack: false }
  })
}

function monitoredWorld(run: Run, monitors: number): World {
  const world = createWorld(run, { honest: 1, colluders: monitors })
  world.addAgent('agent')
  return world
}

/** Every task fails at the only marketplace. */
function pointsWith(run: Run, monitors: number): number {
  const world = monitoredWorld(run, monitors)
  for (let day = 0; day < DAYS; day++) {
    const failing = world.honestDay('agent', { payments: 0, good: 0 })
    world.play([...failing, ...uptimeDay(world.colluders)])
  }
  return world.points('agent')
}

function upButFailing(run: Run): readonly Check[] {
  return [1, 2, 4, 8].map((monitors) => ({
    measure: `score, ${monitors} ${monitors === 1 ? 'monitor' : 'monitors'}`,
    value: pointsWith(run, monitors),
    asked: { most: GOOD - 1 },
  }))
}

/** For a month a platform reports ten failures a day of an agent that only monitors know. */
function slandered(run: Run): readonly Check[] {
  const world = monitoredWorld(run, 4)
  for (let day = 0; day < DAYS; day++) {
    world.play(uptimeDay(world.colluders))
  }
  const before = world.points('agent')
  let lowest = before
  for (let day = 0; day < DAYS_OF_SLANDER; day++) {
    const failing = world.honestDay('agent', { payments: 0, good: 0 })
    world.play([...failing, ...uptimeDay(world.colluders)])
    lowest = Math.min(lowest, world.points('agent'))
  }
  return [
    { measure: 'points lost', value: before - lowest, asked: { most: 220 } },
    { measure: 'lowest score', value: lowest, asked: { least: FAIR } },
  ]
}

/** An exit scam at each marketplace in turn, of an agent that monitors know too. */
function cheatsBeside(run: Run, marketplaces: number, monitors: number): Check {
  const world = createWorld(run, { honest: marketplaces, colluders: monitors })
  world.addAgent('agent')
  world.issue('agent', 'honest-0')
  for (let day = 0; day < DAYS; day++) {
    world.play([...world.honestDay('agent'), ...uptimeDay(world.colluders)])
  }
  const cheats = Array.from({ length: CHEATS_MAX }, (_, i): Planned => {
    const by = world.honest[i % marketplaces] ?? ''
    const data = { amount: 400, currency: 'USD' }
    return { agent: 'agent', ms: MINUTE_MS * i, by, type: 'payment.disputed', data, isAttack: true }
  })
  let [count, value] = [0, NEVER]
  world.play(cheats, (at) => {
    count += 1
    value = value === NEVER && world.points('agent', at) < GOOD ? count : value
  })
  const measure = `cheats until below Good, ${marketplaces} marketplaces and ${monitors} monitors`
  return { measure, value, asked: { most: 20 } }
}

/** For two months a monitor measures so often a day that the agent is down, and three platforms report good work. */
function downBeside(run: Run, timesADay: number): Check {
  const world = createWorld(run, { honest: 3, colluders: 1 })
  world.addAgent('agent')
  for (let day = 0; day < DAYS; day++) {
    world.play(world.honestDay('agent'))
  }
  let highest = 0
  for (let day = 0; day < DAYS_OF_OUTAGE; day++) {
    const down = Array.from({ length: timesADay }, (_, i): Planned => {
      const by = world.colluders[0] ?? ''
      const ms = Math.floor((i * DAY_MS) / timesADay)
      const data = { uptimePercentage: 0 }
      return { agent: 'agent', ms, by, type: 'uptime.report', data, isAttack: true }
    })
    world.play([...world.honestDay('agent'), ...down], (at) => {
      highest = day < DAYS_TO_SEE ? 0 : Math.max(highest, world.points('agent', at))
    })
  }
  const measure = `highest score, ${timesADay} reports a day`
  return { measure, value: highest, asked: { most: GOOD - 1 } }
}

export const MONITORS: readonly Bound[] = [
  {
    row: '35',
    what: 'all tasks fail at the only marketplace, and monitors report that the agent is up',
    run: upButFailing,
  },
  {
    row: '35',
    what: 'a platform slanders an agent that four monitors know',
    run: slandered,
  },
  {
    row: '35',
    what: 'an agent that monitors know cheats at each marketplace',
    run: (run) => [cheatsBeside(run, 3, 4), cheatsBeside(run, 6, 8), cheatsBeside(run, 9, 18)],
  },
  {
    row: '35',
    what: 'a monitor measures an outage all day, and three platforms report good work',
    run: (run) => [1, 8, 24, 96].map((timesADay) => downBeside(run, timesADay)),
  },
]

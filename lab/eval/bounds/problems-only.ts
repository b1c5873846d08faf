/** What a platform that reports problems and no successes does to honest agents. */
import { below } from '../../../src/domain/testing/chance.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/domain/time.ts'
import { GOOD } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import type { Planned } from './days.ts'
import { createWorld, type World } from './world.ts'

const AGENTS = Array.from({ length: 12 }, (_, i) => `agent-${i}`)

const MONITOR = 'monitor'

interface Monitor {
  /** Whether it reports the uptime of each agent, once a day, too. */
  readonly isUptimeReported: boolean
}

/** Of each failure a report of the monitor, a minute later. */
function noticed(planned: readonly Planned[]): readonly Planned[] {
  return planned
    .filter(({ type }) => type === 'task.failed')
    .map(({ agent, ms }) => {
      const data = { severity: 'medium' } as const
      return {
        agent,
        ms: ms + MINUTE_MS,
        by: MONITOR,
        type: 'error.reported',
        data,
        isAttack: true,
      }
    })
}

/** At midnight, before any failure of the day. */
const UPTIME = AGENTS.map((agent): Planned => {
  const data = { uptimePercentage: 99.95 }
  return { agent, ms: 0, by: MONITOR, type: 'uptime.report', data, isAttack: true }
})

function monitoredDay(world: World, { isUptimeReported }: Monitor): void {
  const work = AGENTS.flatMap((id) => world.honestDay(id))
  world.play([...work, ...noticed(work), ...(isUptimeReported ? UPTIME : [])])
}

/** Twelve agents of 97 % at two platforms; from the sixtieth day on a verified monitor reports their failures too. */
function monitored(run: Run, monitor: Monitor): readonly Check[] {
  const world = createWorld(run, { honest: 2 })
  world.addPlatform(MONITOR, null, true)
  for (const id of AGENTS) {
    world.addAgent(id)
    world.issue(id, 'honest-0')
  }
  for (let day = 0; day < 60; day++) {
    world.play(AGENTS.flatMap((id) => world.honestDay(id)))
  }
  // By then it is known to report only problems, and its first complaints have faded.
  for (let day = 0; day < 30; day++) {
    monitoredDay(world, monitor)
  }
  let [lost, isBelow] = [0, 0]
  const days = 60
  for (let day = 0; day < days; day++) {
    monitoredDay(world, monitor)
    for (const id of AGENTS) {
      lost += world.twinPoints(id) - world.points(id)
      isBelow += world.points(id) < GOOD ? 1 : 0
    }
  }
  const readings = days * AGENTS.length
  return [
    { measure: 'points lost on average', value: lost / readings, asked: { most: 20 } },
    { measure: '% of days below Good', value: (100 * isBelow) / readings, asked: { most: 0.2 } },
  ]
}

const ACCOUNTS = Array.from({ length: 12 }, (_, i) => `account-${i}`)

/** A day on which each account has an order that goes well at one platform, and one that goes wrong at the market. */
function contradictingDay({ chance }: World, market: string, other: string): readonly Planned[] {
  const order = (agent: string, by: string, type: 'task.completed' | 'task.failed'): Planned => {
    return { agent, ms: below(chance, DAY_MS), by, type, data: {}, isAttack: true }
  }
  return ACCOUNTS.flatMap((agent) => [
    order(agent, other, 'task.completed'),
    order(agent, market, 'task.failed'),
  ])
}

/** Twelve accounts make a marketplace look as if it reported only problems; then an agent fails at most tasks there. */
function contradicted(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 2 })
  const [market = '', other = ''] = world.honest
  const cheat = 'cheat'
  for (const id of [...AGENTS, ...ACCOUNTS, cheat]) {
    world.addAgent(id)
  }
  const work = () =>
    [...AGENTS, cheat].flatMap((id) => world.honestDay(id, { tasks: 2, payments: 0 }))
  for (let day = 0; day < 40; day++) {
    world.play(work())
  }
  for (let day = 0; day < 20; day++) {
    world.play([...work(), ...contradictingDay(world, market, other)])
  }
  for (let day = 0; day < 14; day++) {
    const served = world.honestDay(cheat, { on: [other], payments: 0 })
    const cheated = world.honestDay(cheat, { on: [market], payments: 0, good: 0.1 })
    world.play([...served, ...cheated, ...contradictingDay(world, market, other)])
  }
  const gained = world.points(cheat) - world.twinPoints(cheat)
  // Where the record alone establishes the marketplace, so many accounts that contradict it end that.
  const holds = { most: run.mode === 'verified' ? 20 : 400 }
  return [{ measure: 'points gained by it', value: gained, asked: { most: 20 }, holds }]
}

export const PROBLEMS_ONLY: readonly Bound[] = [
  {
    row: '32',
    what: 'a verified platform that reports only problems, of twelve agents of 97 % with two others',
    run: (run) => monitored(run, { isUptimeReported: false }),
  },
  {
    row: '32',
    what: 'the same, and it reports their uptime every day',
    run: (run) => monitored(run, { isUptimeReported: true }),
  },
  {
    row: '32',
    what: 'orders of twelve accounts go wrong at a marketplace of twelve honest agents, where an agent then cheats',
    run: contradicted,
  },
]

/** What orders from itself do for an agent that cheats. */
import { HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts'
import { GOOD } from '../tiers.ts'
import { type Bound, type Check, NEVER, type Run } from './bound.ts'
import type { Planned } from './days.ts'
import { worldWithAgent } from './world.ts'

const CHEATS_MAX = 120

/** A cheat every ten minutes, at one platform after the other, and a minute later an order of its own there. */
function cheatedDay(platforms: readonly string[]): readonly Planned[] {
  return Array.from({ length: CHEATS_MAX }, (_, i) => {
    const by = platforms[i % platforms.length] ?? ''
    const ms = HOUR_MS + 10 * MINUTE_MS * i
    return [cheat(by, ms), ownOrder(by, ms + MINUTE_MS)]
  }).flat()
}

function cheat(by: string, ms: number): Planned {
  const data = { amount: 400, currency: 'USD' }
  return { agent: 'agent', ms, by, type: 'payment.disputed', data, isAttack: true }
}

function ownOrder(by: string, ms: number): Planned {
  const data = { amount: 0.5, currency: 'USD' }
  return { agent: 'agent', ms, by, type: 'payment.completed', data, isAttack: true }
}

/** Disputes until the agent is below Good. */
function cheatsUntilBelow(run: Run, platforms: number): number {
  const world = worldWithAgent(run, { honest: platforms }, { days: 120, work: { good: 0.985 } })
  let [events, cheats] = [0, 0]
  world.play(cheatedDay(world.honest), (at) => {
    events += 1
    if (cheats === 0 && world.points('agent', at) < GOOD) {
      cheats = Math.ceil(events / 2)
    }
  })
  return cheats === 0 ? NEVER : cheats
}

function ownOrders(run: Run): readonly Check[] {
  return [3, 9, 20].map((platforms) => ({
    measure: `cheats until below Good, ${platforms} platforms`,
    value: cheatsUntilBelow(run, platforms),
    asked: { most: 20 },
    holds: { most: 90 },
  }))
}

const DAYS_MAX = 120

/** An agent defrauds all of its three platforms, and then orders from itself once a day at each of five others. */
function elsewhere(run: Run): readonly Check[] {
  const world = worldWithAgent(run, { honest: 3, colluders: 5 }, { days: 90 })
  world.play(world.honest.flatMap((by) => Array.from({ length: 20 }, () => cheat(by, HOUR_MS))))
  let value = NEVER
  for (let day = 1; day <= DAYS_MAX && value === NEVER; day++) {
    world.play(world.colluders.map((by) => ownOrder(by, HOUR_MS)))
    value = world.points('agent') >= GOOD ? day : NEVER
  }
  return [{ measure: 'days until Good again', value, asked: { least: 60 }, holds: { least: 7 } }]
}

export const OWN_ORDERS: readonly Bound[] = [
  {
    row: '34',
    what: 'after each cheat an agent orders from itself once at the same platform',
    run: ownOrders,
  },
  {
    row: '34',
    what: 'an agent defrauds its three platforms, and orders from itself at five others',
    run: elsewhere,
  },
]

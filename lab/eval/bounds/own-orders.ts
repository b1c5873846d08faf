/** What orders from itself do for an agent that cheats. */
import { HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts'
import { GOOD } from '../tiers.ts'
import { type Bound, type Check, NEVER, type Run } from './bound.ts'
import type { Planned } from './days.ts'
import { worldWithAgent } from './world.ts'

const CHEATS_MAX = 120

/** Time for the cheats at one platform and the orders after them. */
const CYCLE_MS = 10 * MINUTE_MS

interface Plan {
  readonly platforms: number
  /** Cheats one after the other at one platform, and orders from itself there after them. */
  readonly cheats: number
  readonly orders: number
}

/** Cheats and orders every minute, at one platform after the other. */
function cheatedDay(platforms: readonly string[], plan: Plan): readonly Planned[] {
  const { cheats, orders } = plan
  return Array.from({ length: CHEATS_MAX / cheats }, (_, i) => {
    const by = platforms[i % platforms.length] ?? ''
    const at = (k: number) => HOUR_MS + CYCLE_MS * i + MINUTE_MS * k
    return [
      ...Array.from({ length: cheats }, (_, k) => cheat(by, at(k))),
      ...Array.from({ length: orders }, (_, k) => ownOrder(by, at(cheats + k))),
    ]
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

function cheatsAmong(events: number, { cheats, orders }: Plan): number {
  const cycles = Math.floor(events / (cheats + orders))
  return cycles * cheats + Math.min(cheats, events % (cheats + orders))
}

/** Disputes until the agent is below Good. */
function cheatsUntilBelow(run: Run, plan: Plan): number {
  const world = worldWithAgent(
    run,
    { honest: plan.platforms },
    { days: 120, work: { good: 0.985 } },
  )
  let [events, cheats] = [0, NEVER]
  world.play(cheatedDay(world.honest, plan), (at) => {
    events += 1
    if (cheats === NEVER && world.points('agent', at) < GOOD) {
      cheats = cheatsAmong(events, plan)
    }
  })
  return cheats
}

function ownOrders(run: Run): readonly Check[] {
  return [
    { platforms: 3, cheats: 1, orders: 1 },
    { platforms: 9, cheats: 1, orders: 1 },
    { platforms: 20, cheats: 1, orders: 1 },
    { platforms: 3, cheats: 3, orders: 1 },
    { platforms: 9, cheats: 3, orders: 1 },
    { platforms: 20, cheats: 3, orders: 1 },
  ].map((plan) => ({
    measure: `cheats until below Good, ${plan.platforms} platforms, an order after ${
      plan.cheats === 1 ? 'each' : `every ${plan.cheats}`
    }`,
    value: cheatsUntilBelow(run, plan),
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
    what: 'after cheats an agent orders from itself at the same platform',
    run: ownOrders,
  },
  {
    row: '34',
    what: 'an agent defrauds its three platforms, and orders from itself at five others',
    run: elsewhere,
  },
]

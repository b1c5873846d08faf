/** Plays a plan through the ingest until its goal is reached, and counts what it took. */

import type { EventLine, Line } from '../../../cli/src/simulate/line.ts'
import type { Answer } from '../../../cli/src/simulate/simulator.ts'
import type { EventData, EventType } from '../../../src/domain/event.ts'
import type { Model } from '../../../src/domain/model.ts'
import { below, type Chance, chanceOf } from '../../../src/domain/testing/chance.ts'
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts'
import type { Attacker, Goal } from './attacker.ts'
import {
  AGE_DAYS,
  honestDays,
  installation,
  OTHERS,
  platformsOf,
  START,
  TARGET,
} from './installation.ts'
import type { Plan } from './plan.ts'

export interface Outcome {
  readonly isReached: boolean
  /** How near it came. */
  readonly nearness: number
  /** Days from the first event of the attacker on. */
  readonly days: number
  readonly events: number
  /** Buyers, and owners: of the agent, and of each platform of its own. */
  readonly accounts: number
  /** Platforms of its own that it needs. */
  readonly ownPlatforms: number
  /** Honest platforms that take its orders. */
  readonly honestPlatforms: number
  /** Fees of orders and payments, in dollars. */
  readonly dollars: number
  /** What the agent may then be trusted with in one deal, in dollars. */
  readonly exposureLimit: number | null
}

/** What a marketplace takes of an order or a payment. */
const FEE = 0.1

/** Dollars that a further account is assumed to cost: about as much as a phone number that receives the
 *  code which a platform sends to a new customer. A platform that asks for less is cheaper to attack. */
export const ACCOUNT_PRICE = 0.25

/** Events after which an attack is given up. */
const EVENTS_MAX = 2_000

export interface Trial {
  readonly attacker: Attacker
  readonly goal: Goal
  readonly seed: number
  readonly model: Model
}

/** The honest stream of a trial is the same for all plans. */
export function createPlayer(trial: Trial): (plan: Plan) => Outcome {
  const honest = honestDays(trial.attacker, trial.goal, trial.seed)
  return (plan) => play(plan, honest, trial)
}

interface Spent {
  events: number
  dollars: number
}

/** How an attack stands. */
interface State {
  nearness: number
  exposureLimit: number | null
  isReached: boolean
}

function play(
  plan: Plan,
  honest: readonly (readonly Line[])[],
  { attacker, goal, seed, model }: Trial,
): Outcome {
  const next = installation(attacker, goal, model)
  const chance = chanceOf(seed + 1)
  const spent: Spent = { events: 0, dollars: 0 }
  const state: State = { nearness: -Infinity, exposureLimit: null, isReached: false }
  const ask = (at: number) =>
    noteAnswer(state, goal, next({ kind: 'ask', at, text: '', agent: TARGET }))
  const first = goal.name === 'ruin' ? AGE_DAYS : 0
  let days = 0
  for (let day = 0; day < honest.length && !state.isReached && spent.events < EVENTS_MAX; day++) {
    days = Math.max(0, day - first + 1)
    const attack = day < first ? [] : attackDay(plan, attacker, { day, since: day - first }, chance)
    for (const line of merged(honest[day] ?? [], attack)) {
      next(line)
      if (attack.includes(line)) {
        spent.events += 1
        spent.dollars += line.kind === 'event' ? feeOf(line, plan, attacker) : 0
        if (goal.name === 'ruin' && ask(line.at ?? 0)) {
          break
        }
      }
    }
    if (day >= first && !state.isReached) {
      ask(START + (day + 1) * DAY_MS - 1)
    }
  }
  return { ...state, days, ...countsOf(plan, attacker, goal, spent) }
}

/** Whether the goal is reached. */
function noteAnswer(state: State, goal: Goal, answer: Answer | null): boolean {
  if (answer) {
    state.nearness = Math.max(state.nearness, goal.nearness(answer.score))
    state.exposureLimit = answer.exposureLimit
    state.isReached = goal.isReached(answer.score)
  }
  return state.isReached
}

function countsOf(plan: Plan, { channels, ownMax }: Attacker, goal: Goal, spent: Spent) {
  const usesOrders = channels.includes('orders')
  const ownPlatforms = Math.min(ownMax, plan.reporters)
  const buyers = plan.buyers * (usesOrders ? plan.reporters : 1)
  return {
    events: spent.events,
    dollars: Math.round(100 * spent.dollars) / 100,
    accounts: buyers + ownPlatforms + (goal.name === 'ruin' ? 0 : 1),
    ownPlatforms,
    honestPlatforms: usesOrders ? plan.reporters : 0,
  }
}

/** Of an order at an honest platform its price, task or payment; else of a payment that it states. */
function feeOf({ by, event }: EventLine, plan: Plan, { channels }: Attacker): number {
  if (by.startsWith('own') || by === 'self') {
    return 0
  }
  return FEE * (channels.includes('orders') ? plan.amount : (event.data?.amount ?? 0))
}

/** What the attacker's reporters report on a day: to be established, about the target, and itself. */
function attackDay(
  plan: Plan,
  attacker: Attacker,
  /** `since` counts from the first day of the attack. */
  { day, since }: { readonly day: number; readonly since: number },
  chance: Chance,
): readonly Line[] {
  const { honest, bribed, own } = platformsOf(attacker)
  const all = attacker.channels.includes('orders') ? honest : [...bribed, ...own]
  const by = all.slice(0, plan.reporters)
  const at = (hours: number) => START + day * DAY_MS + 1000 + below(chance, hours * HOUR_MS - 1000)
  const times = <T>(count: number, make: (i: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i))
  const built = by.flatMap((platform) =>
    times(plan.builtPerDay, (i): Line => {
      const agent = OTHERS[(since * plan.builtPerDay + i) % plan.builtOwners] ?? ''
      return { kind: 'event', at: at(24), agent, by: platform, event: { type: 'task.completed' } }
    }),
  )
  const active = since - plan.startDay
  if (active < 0 || active % plan.everyDays !== 0) {
    return built
  }
  const issued = by.flatMap((platform) =>
    times(active === 0 ? plan.credentials : 0, (i): Line => {
      return { kind: 'issue', at: at(24), agent: TARGET, by: platform, type: `Type${i}` }
    }),
  )
  const reports = by.flatMap((platform) =>
    times(plan.perDay, (): Line => {
      const isGood = active < plan.praisedDays || chance() < plan.camouflage
      const event = reported(plan, attacker, isGood, chance)
      return { kind: 'event', at: at(plan.hours), agent: TARGET, by: platform, event }
    }),
  )
  const self = times(plan.selfPerDay, (): Line => {
    return {
      kind: 'event',
      at: at(24),
      agent: TARGET,
      by: 'self',
      event: { type: 'task.completed' },
    }
  })
  return [...built, ...issued, ...reports, ...self]
}

function reported(plan: Plan, { namesParties }: Attacker, isGood: boolean, chance: Chance) {
  const bad = plan.badTypes[below(chance, plan.badTypes.length)]
  const good = chance() < plan.payments ? 'payment.completed' : 'task.completed'
  const type: EventType = isGood || bad === undefined ? good : bad
  const party = namesParties ? { counterparty: `buyer-${below(chance, plan.buyers)}` } : {}
  return { type, data: { ...party, ...dataOf(plan, type, chance) } }
}

function dataOf({ amount }: Plan, type: EventType, chance: Chance): EventData {
  if (type === 'error.reported') {
    return { severity: 'critical' }
  }
  if (!type.startsWith('payment')) {
    return {}
  }
  // Not the same figures again and again.
  const paid = amount > 0 ? { amount: amount * (0.9 + 0.1 * chance()), currency: 'USD' } : {}
  return { ...paid, ...(type === 'payment.late' ? { daysLate: 60 } : {}) }
}

/** Both in the order of their times. */
function merged(honest: readonly Line[], attack: readonly Line[]): readonly Line[] {
  return [...honest, ...attack].sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
}

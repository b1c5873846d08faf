/** What an attacker does, as numbers from 0 to 1 that a search changes, and in plain figures. */
import type { EventType } from '../../../src/domain/event.ts'
import type { Attacker, Goal } from './attacker.ts'

export interface Plan {
  /** Platforms that report: honest ones with orders, or those of the attacker. */
  readonly reporters: number
  /** Reports of each on an active day, the days from one to the next, and the hours of a day. */
  readonly perDay: number
  readonly everyDays: number
  readonly hours: number
  /** Share of payments among the good reports; of what is left, work. */
  readonly payments: number
  /** Dollars of each order or payment. */
  readonly amount: number
  /** Buyers' accounts that the orders come from. */
  readonly buyers: number
  /** Credentials of different types that each platform issues. */
  readonly credentials: number
  readonly selfPerDay: number
  /** Of the reports about a victim the share that is good, and days of nothing but praise before. */
  readonly camouflage: number
  readonly praisedDays: number
  /** What bad reports are of. */
  readonly badTypes: readonly EventType[]
  /** To be established: the day on which the attack begins, owners reported on, and reports a day. */
  readonly startDay: number
  readonly builtOwners: number
  readonly builtPerDay: number
}

export type Genes = readonly number[]

export const GENES = 16

/** An order of an honest platform is not smaller: a common least payment of card processors. */
const ORDER_MIN = 0.5
const AMOUNT_MAX = 1_000
const HONEST_PLATFORMS = 3
/** Accounts at one platform. */
const BUYERS_MAX = 100

/** An order ends as work or a payment, so the channel decides what may go wrong. */
const BAD: readonly (readonly EventType[])[] = [
  ['task.failed'],
  ['task.timeout'],
  ['payment.disputed'],
  ['error.reported'],
  ['task.timeout', 'payment.disputed'],
  ['task.timeout', 'payment.disputed', 'error.reported'],
  ['payment.late', 'task.failed'],
]

/** The figures of the genes. Those that mean nothing for the attacker or the goal are left at nothing. */
export function planOf(genes: Genes, attacker: Attacker, goal: Goal): Plan {
  const gene = (i: number) => genes[i] ?? 0
  const isRuin = goal.name === 'ruin'
  const usesOrders = attacker.channels.includes('orders')
  const platforms = usesOrders ? HONEST_PLATFORMS : attacker.bribed + attacker.ownMax
  const bad = usesOrders ? BAD.filter((types) => !types.includes('error.reported')) : BAD
  const least = usesOrders ? ORDER_MIN : 0.01
  return {
    reporters: whole(gene(0), 1, platforms),
    perDay: Math.round(logarithmic(gene(1), 1, 100)),
    everyDays: whole(gene(2), 1, 7),
    hours: whole(gene(3), 1, 24),
    payments: round(gene(4), 0.05),
    // Platforms need not say what their payments were of.
    amount: !usesOrders && gene(5) < 0.5 ? 0 : round(logarithmic(gene(6), least, AMOUNT_MAX), 0.01),
    buyers: buyersOf(gene(7), usesOrders, attacker),
    credentials: isRuin || usesOrders ? 0 : whole(gene(8), 0, 4),
    selfPerDay: isRuin ? 0 : whole(gene(9) ** 2, 0, 50),
    camouflage: isRuin ? round(0.9 * gene(10), 0.05) : 1,
    praisedDays: isRuin ? whole(gene(11) ** 2, 0, 60) : 0,
    badTypes: isRuin ? (bad[whole(gene(12), 0, bad.length - 1)] ?? []) : [],
    startDay: attacker.isBuilt ? whole(gene(13), 0, 90) : 0,
    builtOwners: attacker.isBuilt ? whole(gene(14), 3, 12) : 0,
    builtPerDay: attacker.isBuilt ? whole(gene(15), 1, 6) : 0,
  }
}

/** Where the counterparty is not reported, one account is enough for all orders. */
function buyersOf(share: number, usesOrders: boolean, { namesParties }: Attacker): number {
  return usesOrders ? (namesParties ? whole(share ** 2, 1, BUYERS_MAX) : 1) : 0
}

function whole(share: number, from: number, to: number): number {
  return Math.min(to, from + Math.floor(share * (to - from + 1)))
}

function logarithmic(share: number, from: number, to: number): number {
  return from * (to / from) ** share
}

function round(x: number, step: number): number {
  return Number((Math.round(x / step) * step).toFixed(2))
}

/** What happens in a day: honest work, and what hostile platforms report. */
import type { EventData, EventType } from '../../../src/domain/event.ts'
import { below, type Chance, pick } from '../../../src/domain/testing/chance.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/time.ts'

/** An event of a day; `isAttack` events do not happen in the twin. */
export interface Planned {
  readonly agent: string
  /** Milliseconds since midnight. */
  readonly ms: number
  /** Id of the platform; null for the agent itself. */
  readonly by: string | null
  readonly type: EventType
  readonly data: EventData
  readonly isAttack: boolean
  readonly externalId?: string
}

interface Batches {
  readonly everyHours?: number
  readonly order: 'any order' | 'bad last'
}

export interface Work {
  readonly tasks?: number
  readonly payments?: number
  /** Share of good reports. */
  readonly good?: number
  /** Platforms that report. */
  readonly on?: readonly string[]
  readonly amount?: (chance: Chance) => number
  /** Where platforms send their reports in batches: one a night, or every so many hours from midnight. */
  readonly batches?: Batches
}

/** By default eight tasks and three payments of 10 to 110 dollars, 97 % of them good. */
export function honestDay(chance: Chance, agent: string, work: Work): readonly Planned[] {
  const { tasks = 8, payments = 3, good = 0.97, on = [], amount } = work
  const event = (type: EventType, data: EventData): Planned => {
    const ms = timeOf(chance, work, type.endsWith('.completed'))
    return { agent, ms, by: pick(chance, on), type, data, isAttack: false }
  }
  const task = () => event(chance() < good ? 'task.completed' : 'task.failed', {})
  const payment = () => {
    const isGood = chance() < good
    const usd = { amount: amount?.(chance) ?? 10 + 100 * chance(), currency: 'USD' }
    return event(
      isGood ? 'payment.completed' : 'payment.late',
      isGood ? usd : { ...usd, daysLate: 3 },
    )
  }
  return [...Array.from({ length: tasks }, task), ...Array.from({ length: payments }, payment)]
}

/** Milliseconds since midnight. */
function timeOf(chance: Chance, { batches }: Work, isGood: boolean): number {
  if (batches === undefined) {
    return below(chance, DAY_MS)
  }
  const { everyHours, order } = batches
  const hour = everyHours === undefined ? 3 : everyHours * below(chance, 24 / everyHours)
  const isLater = order === 'bad last' && !isGood
  return hour * HOUR_MS + below(chance, MINUTE_MS) + (isLater ? MINUTE_MS : 0)
}

export interface Campaign {
  readonly by: readonly string[]
  readonly perDay: number
  readonly types: readonly EventType[]
  /** Share of good reports among them. */
  readonly good?: number
}

/** What hostile platforms report in a day. */
export function attackDay(
  { chance }: { readonly chance: Chance },
  agent: string,
  { by, perDay, types, good = 0 }: Campaign,
): readonly Planned[] {
  return by.flatMap((platform) =>
    Array.from({ length: perDay }, (): Planned => {
      const bad = pick(chance, types)
      const isGood = chance() < good
      const type = isGood ? goodTypeLike(bad) : bad
      const data = type.startsWith('payment')
        ? { amount: 1 + 480 * chance(), currency: 'USD' }
        : type === 'error.reported'
          ? { severity: 'critical' as const }
          : {}
      return { agent, ms: below(chance, DAY_MS), by: platform, type, data, isAttack: true }
    }),
  )
}

function goodTypeLike(type: EventType): EventType {
  return type.startsWith('payment') ? 'payment.completed' : 'task.completed'
}

/** What the anti-fraud rules make of a stream of events, and of an attack. */
import type { RuleSettings } from '../../../src/fraud/rules.ts'
import {
  createSimulation,
  type SimulatedEvent,
  type Simulation,
} from '../../../src/ingest/testing/simulation.ts'
import type { Attack } from './attacks.ts'

/** Numbers of events. */
export interface Tally {
  readonly events: number
  readonly quarantined: number
  /** By rule, in any mode. */
  readonly found: ReadonlyMap<string, number>
}

export function tallyOf(simulation: Simulation, events: readonly SimulatedEvent[]): Tally {
  const found = new Map<string, number>()
  let quarantined = 0
  for (const event of events) {
    const { isQuarantined, findings } = simulation.report(event)
    quarantined += isQuarantined ? 1 : 0
    for (const { rule } of findings) {
      found.set(rule, (found.get(rule) ?? 0) + 1)
    }
  }
  return { events: events.length, quarantined, found }
}

export function total(tallies: readonly Tally[]): Tally {
  const found = new Map<string, number>()
  let [events, quarantined] = [0, 0]
  for (const tally of tallies) {
    events += tally.events
    quarantined += tally.quarantined
    for (const [rule, count] of tally.found) {
      found.set(rule, (found.get(rule) ?? 0) + count)
    }
  }
  return { events, quarantined, found }
}

export interface Outcome {
  readonly attack: Attack
  readonly tally: Tally
  readonly isHarmless: boolean
}

export function outcomeOf(attack: Attack, settings: RuleSettings = new Map()): Outcome {
  const [without, under] = [createSimulation(settings), createSimulation(settings)]
  for (const event of attack.before ?? []) {
    without.report(event)
    under.report(event)
  }
  const tally = tallyOf(under, attack.events)
  return { attack, tally, isHarmless: attack.isHarmless({ without, under }) }
}

/** The share of the attacks' events that are quarantined or belong to an attack that does no harm. */
export function safeShare(outcomes: readonly Outcome[]): number {
  return safeEvents(outcomes) / total(outcomes.map(({ tally }) => tally)).events
}

export function safeEvents(outcomes: readonly Outcome[]): number {
  return outcomes.reduce(
    (sum, { tally, isHarmless }) => sum + (isHarmless ? tally.events : tally.quarantined),
    0,
  )
}

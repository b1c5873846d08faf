import { DEAL_TYPES, type DealType, LOG_TYPES } from '../domain/event.ts'
import type { Evidence } from '../domain/evidence-state.ts'
import { forecastFrom } from '../domain/forecast.ts'
import { MODEL } from '../domain/model.ts'
import { scoreAt } from '../domain/score.ts'
import { type Classification, TIERS } from '../domain/tiers.ts'
import { replay } from '../ingest/replay.ts'
import type { AgentState, Store } from '../store/store.ts'
import { eventLog, type Reading } from './event-log.ts'

/** What the score said of some agents, and what came of their deals after it. */
export interface CalibrationRow {
  /** The tier at that time; `unknown` where confidence was low. */
  readonly tier: Classification | 'unknown'
  readonly agents: number
  /** Tasks and payments that platforms reported since. */
  readonly outcomes: number
  readonly good: number
  /** Good ones to be expected by the forecast of that time. */
  readonly expected: number
}

/** Of one agent: a busy one says no more than this many. */
const OUTCOMES_MAX = 200

/** Compares what was said of the agents at a time with what platforms reported since. */
export async function calibrationSince(
  store: Store,
  agentStates: Iterable<AgentState>,
  at: number,
  { signal }: Pick<Reading, 'signal'> = {},
): Promise<readonly CalibrationRow[]> {
  const rows = new Map<CalibrationRow['tier'], CalibrationRow>()
  for (const agentState of agentStates) {
    const row = await calibrationOf(store, agentState, at, signal)
    const before = row && rows.get(row.tier)
    if (row) {
      rows.set(row.tier, before ? sum(before, row) : row)
    }
  }
  const tiers = [...TIERS.map(({ label }) => label), 'unknown'] as const
  return tiers.flatMap((tier) => rows.get(tier) ?? [])
}

/** Null for an agent that was not there yet, or of which nothing was reported since. */
async function calibrationOf(
  store: Store,
  agentState: AgentState,
  at: number,
  signal: Reading['signal'],
): Promise<CalibrationRow | null> {
  const { agentId } = agentState
  if (agentState.evidence.registeredAt > at) {
    return null
  }
  const from = await store.checkpoints.last(agentId, { at })
  let seq = from?.seq ?? 0
  const { evidence } = await replay(
    eventLog(store, agentState, { from, signal }),
    { at },
    (step) => {
      seq = step.entry.seq
      return undefined
    },
  )
  const types = await store.events.outcomesAfter(agentId, seq, DEAL_TYPES, OUTCOMES_MAX)
  return types.length === 0 ? null : { ...judged(types, evidence, at), agents: 1 }
}

function judged(
  types: readonly DealType[],
  evidence: Evidence,
  at: number,
): Omit<CalibrationRow, 'agents'> {
  const { classification, confidence } = scoreAt(MODEL, evidence, at)
  const forecast = forecastFrom(MODEL, evidence)
  // Where only the other kind was reported, its rate is the best estimate; without either, the rate is unknown (½).
  const either = forecast.task ?? forecast.payment
  const expected = types.map((type) => {
    const prospect = forecast[LOG_TYPES[type].data] ?? either
    return prospect?.probability ?? 0.5
  })
  return {
    tier: confidence === 'low' ? 'unknown' : classification,
    outcomes: types.length,
    good: types.filter((type) => type.endsWith('.completed')).length,
    expected: expected.reduce((total, one) => total + one, 0),
  }
}

function sum(a: CalibrationRow, b: CalibrationRow): CalibrationRow {
  return {
    tier: a.tier,
    agents: a.agents + b.agents,
    outcomes: a.outcomes + b.outcomes,
    good: a.good + b.good,
    expected: a.expected + b.expected,
  }
}

import { forecastFrom } from '../../domain/forecast.ts'
import { MODEL } from '../../domain/model.ts'
import { type Score, scoreAt } from '../../domain/score.ts'
import { classify, confidenceOf } from '../../domain/tiers.ts'
import { scoringTime } from '../../domain/time.ts'
import type { SeriesPoint } from '../../scoring/score-series.ts'
import type { AgentState, Snapshot } from '../../store/store.ts'
import { time, timeOrNull } from '../wire.ts'

export function presentScore(agentState: AgentState, value: Score, computedAt: number) {
  const { agentId, status, quarantinedCount: quarantined } = agentState
  const { score, classification, confidence, eventCount, breakdown, interval } = value
  const { disputed, exposureLimit } = value
  return {
    agentId,
    score,
    classification,
    confidence,
    eventCount,
    breakdown,
    disputed,
    exposureLimit,
    interval,
    forecast: forecastFrom(MODEL, agentState.evidence),
    evidence: { ...value.evidence, quarantined },
    status,
    modelVersion: value.modelVersion,
    computedAt: time(computedAt),
  }
}

/** The score that an agent has now. */
export function presentScoreNow(agentState: AgentState, now: number) {
  const at = scoringTime(agentState, now)
  return presentScore(agentState, scoreAt(MODEL, agentState.evidence, at), at)
}

/** A past score, of the given state at that time. */
export function presentPastScore(
  agentState: AgentState,
  value: Score,
  { at, correctedAt }: { readonly at: number; readonly correctedAt: number | null },
) {
  return { ...presentScore(agentState, value, at), correctedAt: timeOrNull(correctedAt) }
}

export function presentPoint({ at, score: value }: SeriesPoint) {
  const { score, classification, confidence, interval, disputed } = value
  const { isDisputed } = disputed
  return { at: time(at), score, classification, confidence, interval, isDisputed }
}

export function presentSnapshot(snapshot: Snapshot) {
  const { id, agentId, score, eventCount, breakdown, trigger, modelVersion } = snapshot
  const { disputed, exposureLimit } = snapshot
  return {
    id,
    agentId,
    score,
    classification: classify(score),
    confidence: confidenceOf(eventCount),
    eventCount,
    breakdown,
    disputed,
    exposureLimit,
    trigger,
    modelVersion,
    createdAt: time(snapshot.createdAt),
    correctedAt: timeOrNull(snapshot.correctedAt),
  }
}

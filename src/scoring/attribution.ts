import type { RecordedEvent } from '../domain/agent.ts'
import {
  type Attribution,
  addTimeEffect,
  addToAttribution,
  newAttribution,
} from '../domain/attribution.ts'
import { addEvent, type Evidence, newEvidence } from '../domain/evidence.ts'
import { MODEL } from '../domain/model.ts'
import { RECENT_DAYS } from '../domain/reasons.ts'
import { DAY_MS } from '../domain/time.ts'
import { replay } from '../ingest/replay.ts'
import type { AgentState, Snapshot, Store } from '../store/store.ts'
import { eventLog } from './event-log.ts'

/** What to compute from a history, besides the effect of every event. */
export interface Questions {
  /** An attribution that starts at this snapshot. */
  readonly since: Snapshot | null
  /** The evidence without this event. */
  readonly without: RecordedEvent | null
}

export interface ReplayedAttribution {
  readonly whole: Attribution
  readonly since: Attribution | null
  readonly without: Evidence | null
}

/** Attributes the score of the state that was read to its events, in one pass over the log. */
export async function replayAttribution(
  store: Store,
  agentState: AgentState,
  at: number,
  { since, without }: Questions,
): Promise<ReplayedAttribution> {
  const { registeredAt, initialCeiling } = agentState.evidence
  const recentSince = at - RECENT_DAYS * DAY_MS
  const fresh = newEvidence(MODEL, registeredAt, initialCeiling)
  const whole = newAttribution(MODEL, fresh, registeredAt, recentSince)
  let latest: Attribution | null = null
  const startLatest = () =>
    since &&
    newAttribution(MODEL, whole.evidence, Math.max(since.createdAt, registeredAt), recentSince)
  let other = fresh
  await replay(eventLog(store, agentState), { seq: agentState.seq }, (step) => {
    const { entry, link, counts, evidence } = step
    if (!counts) {
      return
    }
    if (since && link.seq > since.seq) {
      latest ??= startLatest()
    }
    const attributed = { id: link.id, kind: entry.reporter.kind, event: link, evidence }
    addToAttribution(MODEL, whole, attributed)
    if (latest) {
      addToAttribution(MODEL, latest, attributed)
    }
    if (without && link.id !== without.id) {
      other = addEvent(MODEL, other, link)
    }
  })
  latest ??= startLatest()
  addTimeEffect(MODEL, whole, at)
  if (latest) {
    addTimeEffect(MODEL, latest, at)
  }
  return { whole, since: latest, without: without && other }
}

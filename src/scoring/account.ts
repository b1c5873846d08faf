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
import { countedEvent } from '../ingest/fold.ts'
import type { AgentState, Snapshot, Store } from '../store/store.ts'

/** What is asked of a history beside what every event did. */
export interface Questions {
  /** An account of its own from this snapshot on. */
  readonly since: Snapshot | null
  /** The evidence had this event never been. */
  readonly without: RecordedEvent | null
}

export interface ReplayedAttribution {
  readonly whole: Attribution
  readonly since: Attribution | null
  readonly without: Evidence | null
}

const DAY_MS = 86_400_000

/**
 * Folds all that counts up to the standing that was read, in one pass over the log, a part at a time:
 * the time it takes grows with the history, the memory does not (but for the reporters' names).
 */
export async function replayAttribution(
  store: Store,
  { agentId, seq, evidence }: AgentState,
  at: number,
  { since, without }: Questions,
): Promise<ReplayedAttribution> {
  const recentSince = at - RECENT_DAYS * DAY_MS
  const { registeredAt, initialCeiling } = evidence
  const fresh = newEvidence(registeredAt, initialCeiling)
  const whole = newAttribution(MODEL, fresh, registeredAt, recentSince)
  let latest: Attribution | null = null
  let other: Evidence | null = without && fresh
  const openLatest = () =>
    since &&
    newAttribution(MODEL, whole.evidence, Math.max(since.createdAt, registeredAt), recentSince)
  for await (const part of store.events.log(agentId)) {
    for (const event of part) {
      if (event.isQuarantined || event.seq > seq) {
        continue
      }
      if (since && event.seq > since.seq) {
        latest ??= openLatest()
      }
      const counted = countedEvent(event)
      const entry = { id: event.id, kind: event.reporter.kind, event: counted }
      addToAttribution(MODEL, whole, entry)
      if (latest) {
        addToAttribution(MODEL, latest, entry)
      }
      if (other && event.id !== without?.id) {
        other = addEvent(MODEL, other, counted)
      }
    }
  }
  latest ??= openLatest()
  addTimeEffect(MODEL, whole, at)
  if (latest) {
    addTimeEffect(MODEL, latest, at)
  }
  return { whole, since: latest, without: other }
}

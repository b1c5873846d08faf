import type { AgentStatus, RecordedEvent } from '../domain/agent.ts'
import { invalidField, TrustError } from '../domain/error.ts'
import { addEvent, type Evidence, newEvidence } from '../domain/evidence.ts'
import { MODEL } from '../domain/model.ts'
import { countedEvent } from '../ingest/fold.ts'
import type { AgentState, Store } from '../store/store.ts'

/** Where an agent stood at an instant. */
export interface PastScore {
  readonly evidence: Evidence
  readonly quarantinedCount: number
  readonly status: AgentStatus
  /** The latest review that made an event from before this instant count after it; null if none did. */
  readonly correctedAt: number | null
}

/** Refuses an instant that is yet to come, or before there was such an agent. */
export function checkInstant({ evidence }: AgentState, at: number, now: number): void {
  if (at > now) {
    throw invalidField('query.at', 'must not lie in the future', 'out_of_window')
  }
  if (at >= evidence.registeredAt) {
    return
  }
  const registeredAt = new Date(evidence.registeredAt).toISOString()
  throw new TrustError('NOT_FOUND', `this agent was registered at ${registeredAt}`, {
    registeredAt,
  })
}

/**
 * Folds the events received up to an instant, as reviews have left them by now: what was served then,
 * corrected. Reads the log a part at a time and no further than the instant.
 */
export async function scoreAsOf(
  store: Store,
  agentState: AgentState,
  at: number,
): Promise<PastScore> {
  const { agentId } = agentState
  const { registeredAt, initialCeiling } = agentState.evidence
  let evidence = newEvidence(registeredAt, initialCeiling)
  let quarantinedCount = 0
  let correctedAt: number | null = null
  for await (const event of logUntil(store, agentId, at)) {
    if (event.isQuarantined) {
      quarantinedCount++
      continue
    }
    evidence = addEvent(MODEL, evidence, countedEvent(event))
    const since = countedSince(event)
    if (since > at) {
      correctedAt = Math.max(since, correctedAt ?? 0)
    }
  }
  return {
    evidence,
    quarantinedCount,
    correctedAt,
    status: await store.agents.statusAt(agentId, at),
  }
}

async function* logUntil(store: Store, agentId: string, at: number): AsyncGenerator<RecordedEvent> {
  for await (const part of store.events.log(agentId)) {
    for (const event of part) {
      // The log is in the order of receipt: behind the first that is later, all are.
      if (event.createdAt > at) {
        return
      }
      yield event
    }
  }
}

/** Since when an event counts: since it came, or, if it was held, since it was released. */
export function countedSince({ createdAt, review }: RecordedEvent): number {
  const released = review?.decisions.findLast(({ decision }) => decision === 'released')
  return released?.decidedAt ?? createdAt
}

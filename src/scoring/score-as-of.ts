import type { AgentStatus, RecordedEvent } from '../domain/agent.ts'
import { invalidField, TrustError } from '../domain/error.ts'
import type { Evidence } from '../domain/evidence.ts'
import { replay } from '../ingest/replay.ts'
import type { AgentState, Store } from '../store/store.ts'
import { eventLog } from './event-log.ts'

/** An agent at a time in the past. */
export interface PastScore {
  readonly evidence: Evidence
  readonly quarantinedCount: number
  readonly status: AgentStatus
  /** The latest review after that time that made an earlier event count; null if there was none. */
  readonly correctedAt: number | null
}

/** Refuses a time in the future, or before the agent was registered. */
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
 * Folds the events received up to a time, as later reviews have left them: what was served then,
 * corrected.
 */
export async function scoreAsOf(
  store: Store,
  agentState: AgentState,
  at: number,
): Promise<PastScore> {
  let quarantinedCount = 0
  let correctedAt: number | null = null
  const { evidence } = await replay(eventLog(store, agentState), { at }, ({ entry, counts }) => {
    const since = countedSince(entry)
    if (!counts) {
      quarantinedCount += 1
    } else if (since > at) {
      correctedAt = Math.max(since, correctedAt ?? 0)
    }
  })
  const status = await store.agents.statusAt(agentState.agentId, at)
  return { evidence, quarantinedCount, correctedAt, status }
}

/**
 * When an event began to count: when it was received or, if it was quarantined, when it was
 * released.
 */
export function countedSince({ createdAt, review }: RecordedEvent): number {
  const released = review?.decisions.findLast(({ decision }) => decision === 'released')
  return released?.decidedAt ?? createdAt
}

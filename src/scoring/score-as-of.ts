import type { AgentStatus, RecordedEvent } from '../domain/agent.ts'
import { invalidField, TrustError } from '../domain/error.ts'
import type { Evidence } from '../domain/evidence.ts'
import { replay } from '../ingest/replay.ts'
import type { AgentState, Store } from '../store/store.ts'
import { eventLog } from './event-log.ts'

/** An agent at an instant of the past. */
export interface PastScore {
  readonly evidence: Evidence
  readonly quarantinedCount: number
  readonly status: AgentStatus
  /** The latest review after the instant that made an event from before it count; null if none did. */
  readonly correctedAt: number | null
}

/** Refuses an instant in the future, or before the agent was registered. */
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

/** Since when an event counts: since it came or, if it was quarantined, since it was released. */
export function countedSince({ createdAt, review }: RecordedEvent): number {
  const released = review?.decisions.findLast(({ decision }) => decision === 'released')
  return released?.decidedAt ?? createdAt
}

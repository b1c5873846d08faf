import type { AgentStatus } from '../domain/agent.ts'
import { invalidField, TrustError } from '../domain/error.ts'
import type { Evidence } from '../domain/evidence-state.ts'
import { replay } from '../ingest/replay.ts'
import type { AgentState, Store } from '../store/store.ts'
import { eventLog, type Reading } from './event-log.ts'
import { followTrail } from './trail.ts'

/** An agent at a time in the past. */
export interface PastScore {
  readonly evidence: Evidence
  readonly quarantinedCount: number
  readonly status: AgentStatus
  /** The latest review after that time that made an earlier event count; null if there was none. */
  readonly correctedAt: number | null
}

/** Refuses a time in the future, or before the agent was registered. */
export function checkInstant(
  { evidence }: AgentState,
  at: number,
  now: number,
  parameter = 'at',
): void {
  if (at > now) {
    throw invalidField(`query.${parameter}`, 'must not lie in the future', 'out_of_window')
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
 * The evidence of the events received up to a time, as later reviews have left them: what was served then,
 * corrected. Folds those since the last checkpoint before it.
 */
export async function scoreAsOf(
  store: Store,
  agentState: AgentState,
  at: number,
  { signal }: Pick<Reading, 'signal'> = {},
): Promise<PastScore> {
  const { agentId } = agentState
  const from = await store.checkpoints.last(agentId, { at })
  const trail = followTrail(store, { read: agentState, from })
  const log = eventLog(store, agentState, { from, signal })
  const { evidence } = await replay(log, { at }, trail.pass)
  await trail.end()
  const { quarantinedCount, correctedAt } = trail
  return {
    evidence,
    quarantinedCount,
    correctedAt: correctedAt !== null && correctedAt > at ? correctedAt : null,
    status: await store.agents.statusAt(agentId, at),
  }
}

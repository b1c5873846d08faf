import type { LoggedEvent } from '../domain/agent.ts'
import { replay, WHOLE_LOG } from '../ingest/replay.ts'
import type { AgentState, Store } from '../store/store.ts'
import { eventLog, isCounted, type Reading } from './event-log.ts'

/**
 * The agent's state as if all events that await a decision counted, and the number of these events.
 * Nothing before the first of them would be different.
 */
export async function stateWithQuarantined(
  store: Store,
  agentState: AgentState,
  { signal }: Pick<Reading, 'signal'> = {},
): Promise<{ readonly agentState: AgentState; readonly quarantined: number }> {
  const { agentId } = agentState
  const first = await store.events.firstAwaitingReview(agentId)
  if (first === null) {
    return { agentState, quarantined: 0 }
  }
  const from = await store.checkpoints.last(agentId, { seq: first - 1 })
  let quarantined = 0
  const counts = (event: LoggedEvent) => isCounted(event) || awaitsDecision(event)
  const log = { ...eventLog(store, agentState, { from, signal }), counts }
  const { evidence } = await replay(log, WHOLE_LOG, ({ entry }) => {
    quarantined += entry.isQuarantined && awaitsDecision(entry) ? 1 : 0
  })
  const quarantinedCount = agentState.quarantinedCount - quarantined
  return { agentState: { ...agentState, evidence, quarantinedCount }, quarantined }
}

function awaitsDecision({ review }: LoggedEvent): boolean {
  return review?.status === 'pending' || review?.status === 'appealed'
}

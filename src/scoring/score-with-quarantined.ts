import type { RecordedEvent } from '../domain/agent.ts'
import { replay, WHOLE_LOG } from '../ingest/replay.ts'
import type { AgentState, Store } from '../store/store.ts'
import { eventLog, isCounted } from './event-log.ts'

/**
 * The agent's state as if all events that await a decision counted, and the number of these events.
 */
export async function stateWithQuarantined(
  store: Store,
  agentState: AgentState,
): Promise<{ readonly agentState: AgentState; readonly quarantined: number }> {
  let quarantined = 0
  const counts = (event: RecordedEvent) => isCounted(event) || awaitsDecision(event)
  const log = { ...eventLog(store, agentState), counts }
  const { evidence } = await replay(log, WHOLE_LOG, ({ entry }) => {
    quarantined += entry.isQuarantined && awaitsDecision(entry) ? 1 : 0
  })
  const quarantinedCount = agentState.quarantinedCount - quarantined
  return { agentState: { ...agentState, evidence, quarantinedCount }, quarantined }
}

function awaitsDecision({ review }: RecordedEvent): boolean {
  return review?.status === 'pending' || review?.status === 'appealed'
}

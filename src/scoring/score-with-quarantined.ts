import type { LoggedEvent } from '../domain/agent.ts'
import type { AgentState, Store } from '../store/store.ts'
import { isCounted, type Reading } from './event-log.ts'
import { evidenceIf } from './evidence-if.ts'

/** The agent's state as if all events that await a decision counted, and the number of these events. */
export async function stateWithQuarantined(
  store: Store,
  agentState: AgentState,
  { signal }: Pick<Reading, 'signal'> = {},
): Promise<{ readonly agentState: AgentState; readonly quarantined: number }> {
  const awaiting = await store.events.awaitingReview(agentState.agentId)
  const changed = awaiting.filter((seq) => seq <= agentState.seq)
  const counts = (event: LoggedEvent) => isCounted(event) || awaitsDecision(event)
  const evidence = await evidenceIf(store, agentState, { changed, counts, signal })
  const quarantinedCount = agentState.quarantinedCount - changed.length
  return {
    agentState: { ...agentState, evidence, quarantinedCount },
    quarantined: changed.length,
  }
}

function awaitsDecision({ review }: LoggedEvent): boolean {
  return review?.status === 'pending' || review?.status === 'appealed'
}

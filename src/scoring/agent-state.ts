import { notFound } from '../domain/error.ts'
import type { AgentState, Store } from '../store/store.ts'

export async function existingState(store: Store, agentId: string): Promise<AgentState> {
  const agentState = await store.scores.find(agentId)
  if (!agentState) {
    throw notFound('agent')
  }
  return agentState
}

/** The time to score a state at: now, but not before its last change, even if this node's clock is behind. */
export function scoringTime({ updatedAt }: AgentState, now: number): number {
  return Math.max(now, updatedAt)
}

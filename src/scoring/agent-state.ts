import { notFound } from '../domain/error.ts'
import type { AgentState, Store } from '../store/store.ts'

export async function existingState(store: Store, agentId: string): Promise<AgentState> {
  const agentState = await store.agentStates.find({ agentId })
  if (!agentState) {
    throw notFound('agent')
  }
  return agentState
}

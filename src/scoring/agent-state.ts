import { notFound } from '../domain/error.ts'
import type { AgentState, FindOptions, Store } from '../store/store.ts'

/** @throws NOT_FOUND */
export async function existingState(
  store: Store,
  agentId: string,
  options?: FindOptions,
): Promise<AgentState> {
  const agentState = await store.agentStates.find({ agentId }, options)
  if (!agentState) {
    throw notFound('agent')
  }
  return agentState
}

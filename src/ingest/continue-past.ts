import { TrustError } from '../domain/error.ts'
import type { Model } from '../domain/model.ts'
import type { AgentState } from '../store/store.ts'
import { agentStateIn, type BatchState, ownedState } from './batch-state.ts'
import { registeredState } from './fold.ts'

/**
 * Makes an agent ready for an event of its past. An agent without events is registered at the time of
 * the first one, if that was earlier. After that its past continues in order: an event that is earlier
 * than the last one is refused, because the score of that moment has been answered already.
 */
export function continuePast(
  state: BatchState,
  agentId: string,
  at: number,
  model: Model,
): TrustError | null {
  const before = agentStateIn(state, agentId)
  if (!before) {
    return null
  }
  if (before.seq === 0) {
    if (at < before.updatedAt) {
      state.agentStates.set(agentId, ownedState(registeredAt(model, before, at)))
    }
    return null
  }
  if (at >= before.updatedAt) {
    return null
  }
  const lastEventAt = new Date(before.updatedAt).toISOString()
  return new TrustError(
    'CONFLICT',
    `the agent has an event of ${lastEventAt} already; import events in order of time, ` +
      'and before the agent receives its first report',
    { reason: 'not_in_order', lastEventAt },
  )
}

/** As it was, apart from what depends on the time of registration. */
function registeredAt(model: Model, before: AgentState, createdAt: number): AgentState {
  const agent = { id: before.agentId, ownerId: before.ownerId, status: before.status, createdAt }
  const registered = registeredState(model, agent, before.evidence.initialCeiling)
  const { evidence, score, chain, updatedAt } = registered
  return { ...before, evidence, score, chain, updatedAt }
}

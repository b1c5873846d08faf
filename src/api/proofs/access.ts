import type { Caller } from '../../domain/caller.ts'
import type { AgentState } from '../../store/store.ts'

/** Whether all of an agent's history is the caller's to see: the agent, its owner, the operator. */
export function mayReadAll(caller: Caller, { agentId, ownerId }: AgentState): boolean {
  switch (caller.kind) {
    case 'agent':
      return caller.agentId === agentId
    case 'owner':
      return caller.ownerId === ownerId
    case 'operator':
      return true
    case 'platform':
    case 'anonymous':
      return false
  }
}

import type { Caller } from '../domain/caller.ts'

/** The agent that something is about, and its owner. */
export interface Subject {
  readonly agentId: string
  readonly ownerId: string
}

/** Whether the caller may read an agent's whole history: the agent, its owner, the operator. */
export function mayReadAll(caller: Caller, { agentId, ownerId }: Subject): boolean {
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

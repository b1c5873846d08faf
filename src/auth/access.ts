import type { Agent } from '../domain/agent.ts'
import type { Caller, CallerOf } from '../domain/caller.ts'
import {
  forbidden,
  modeMismatch,
  notFound,
  ofOtherOwner,
  type TrustError,
} from '../domain/error.ts'
import { modeOf } from '../domain/mode.ts'
import type { AgentState, Store } from '../store/store.ts'

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

export async function existingAgent(store: Store, id: string): Promise<Agent> {
  const agent = await store.agents.find({ id })
  if (!agent) {
    throw notFound('agent')
  }
  return agent
}

/**
 * The agent, if the caller is that agent or its owner. A transfer ends the keys of an agent: a request that began with
 * one of them is still its former owner's.
 */
export async function managedAgent(
  store: Store,
  caller: CallerOf<'agent' | 'owner'>,
  id: string,
): Promise<Agent> {
  if (caller.kind === 'owner') {
    return ownAgent(store, caller.ownerId, id)
  }
  const agent = await existingAgent(store, id)
  if (agent.id !== caller.agentId) {
    throw forbidden('this is another agent')
  }
  if (agent.ownerId !== caller.ownerId) {
    throw anothersAgent()
  }
  return agent
}

const MODE_ADVICE = 'an owner sends the header Standing-Mode: test for test data, and for no other'

/** The agent, if it belongs to this owner. */
export async function ownAgent(store: Store, ownerId: string, id: string): Promise<Agent> {
  const agent = await existingAgent(store, id)
  if (modeOf(agent.ownerId) !== modeOf(ownerId)) {
    throw modeMismatch(modeOf(ownerId), MODE_ADVICE)
  }
  if (agent.ownerId !== ownerId) {
    throw anothersAgent()
  }
  return agent
}

/**
 * The agent, if it belongs to this owner, and its state, locked. Whatever writes for an owner begins with it:
 * the agent may be transferred while the lock is waited for, and no transfer is committed after it.
 */
export async function lockOwnAgent(
  within: Store,
  ownerId: string,
  id: string,
): Promise<{ readonly agent: Agent; readonly agentState: AgentState }> {
  // Checked before as well, so that an agent is locked by its owner only.
  const agent = await ownAgent(within, ownerId, id)
  const agentState = await within.agentStates.find({ agentId: id }, { lock: 'wait' })
  if (agentState?.ownerId !== ownerId) {
    throw anothersAgent()
  }
  return { agent: { ...agent, status: agentState.status }, agentState }
}

function anothersAgent(): TrustError {
  return ofOtherOwner('this agent belongs to another owner')
}

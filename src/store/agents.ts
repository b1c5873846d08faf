import type { Agent, AgentStatus } from '../domain/agent.ts'
import type { Evidence } from '../domain/evidence.ts'
import type { AgentState } from './agent-state.ts'
import type { Page } from './types.ts'

export interface AgentStore {
  insert(agent: Agent, agentState: AgentState): Promise<void>
  find(id: string): Promise<Agent | null>
  /** Newest first. */
  list(ownerId: string, before: string | null, limit: number): Promise<Page<Agent>>
  countNotDeactivated(ownerId: string): Promise<number>
  /** Events folded after it see a new status: the change waits for those that are being folded. */
  update(id: string, change: AgentChange, now: number): Promise<Agent | null>
  /** The status it had at a time after its registration. */
  statusAt(id: string, at: number): Promise<AgentStatus>
  /** The evidence of this owner's agents deactivated since then, each with the time. */
  deactivated(
    ownerId: string,
    since: number,
  ): Promise<readonly { readonly evidence: Evidence; readonly at: number }[]>
}

export type AgentChange =
  | { readonly displayName: string; readonly metadata: Agent['metadata'] }
  | { readonly status: AgentStatus }

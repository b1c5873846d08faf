import type { AgentState } from './agent-state.ts'
import type { FindOptions } from './types.ts'

/**
 * Which agents: those with evidence that another model than this folded, those with a score credential in
 * force, or those with children. There is an index for each.
 */
export type AgentFilter =
  | { readonly notFoldedBy: string }
  | { readonly hasCredentialFloor: true }
  | { readonly isParent: true }

/** The states of agents. */
export interface ScoreStore {
  find(agentId: string, options?: FindOptions): Promise<AgentState | null>
  findMany(agentIds: readonly string[]): Promise<ReadonlyMap<string, AgentState>>
  /**
   * Reserves one kind of work about an agent for this transaction; false where another one has it. Reports
   * do not wait for it.
   */
  reserve(agentId: string, work: 'releases' | 'accounts'): Promise<boolean>
  /** Ids of all agents, or of some, in ascending order and in parts. */
  agentIds(filter?: AgentFilter): AsyncIterable<readonly string[]>
  /**
   * Some agents with events, from everywhere in the table, the same ones for the same seed, and about how many there
   * are. Reads a few pages of it, however long it is.
   */
  sample(
    limit: number,
    seed: number,
  ): Promise<{ readonly ids: readonly string[]; readonly agentsInAll: number }>
  /** Saves a state whose whole log was folded by the current model. */
  save(agentState: AgentState): Promise<void>
}

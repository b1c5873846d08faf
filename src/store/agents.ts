import type { Agent, AgentStatus } from '../domain/agent.ts'
import type { AgentState } from './agent-states.ts'
import type { ById, Counted, Listed, Many, Rows } from './rows.ts'

/** The agents of an account; with `parentId` only those that act for this agent. */
export interface AgentsOf {
  readonly ownerId: string
  readonly parentId?: string | undefined
}

/** The agents of an owner or of a parent that are not deactivated. */
export type LivingAgents = { readonly ownerId: string } | { readonly parentId: string }

export interface AgentStore
  extends Pick<Rows<Agent, ById, never>, 'find'>,
    Many<Agent>,
    Counted<LivingAgents>,
    Listed<Agent, AgentsOf> {
  /** Sets `isParent` of its parent, if it has one. */
  insert(agent: Agent, agentState: AgentState): Promise<void>
  /** Agents in use with a public profile and at least this many events, the best score first. */
  leaders(eventsMin: number, limit: number): Promise<readonly Agent[]>
  /**
   * An agent is replaced by another one, and names it from then on. Its children act for that one, its names are
   * that one's, and who watches it watches that one instead.
   */
  succeed(predecessor: Pick<AgentState, 'agentId' | 'isParent'>, successorId: string): Promise<void>
  /** The agents of an owner that were registered at this time or later, deactivated ones included, up to `max`. */
  countRegistered(ownerId: string, since: number, max: number): Promise<number>
  /** Events folded after it see a new status: the change waits for those that are being folded. */
  update(id: string, change: AgentChange, now: number): Promise<Agent | null>
  /** The status it had at a time after its registration. */
  statusAt(id: string, at: number): Promise<AgentStatus>
  /**
   * The lowest score below a limit of at most 100 that any of this owner's agents has, or had since
   * then while it was the owner's; null where no agent has one.
   */
  lowScore(ownerId: string, below: number, since: number): Promise<number | null>
}

export type AgentChange =
  | Pick<Agent, 'displayName' | 'metadata' | 'hasPublicProfile'>
  | { readonly status: AgentStatus }
  | { readonly ownerId: string }

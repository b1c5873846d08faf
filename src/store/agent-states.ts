import type { AgentStatus } from '../domain/agent.ts'
import type { Evidence } from '../domain/evidence-state.ts'
import type { ReporterHour } from '../domain/limits.ts'
import type { BehaviourProfile } from '../fraud/profile.ts'
import type { Counted, Many, Rows } from './rows.ts'

/** All that is needed to decide on an agent's next event, to fold it and to score the agent. */
export interface AgentState {
  readonly agentId: string
  readonly ownerId: string
  readonly status: AgentStatus
  readonly evidence: Evidence
  readonly profile: BehaviourProfile
  /** The score last published. */
  readonly score: number
  /** Whether it was published as disputed. */
  readonly isDisputed: boolean
  /** Whether it ever was published below the score of a new agent, which limits the next agents of its owner. */
  readonly wasLow: boolean
  /** How many snapshots were written. */
  readonly snapshots: number
  /** The number of the last event. */
  readonly seq: number
  /** The last hash of the chain of the events that count. */
  readonly chain: Uint8Array
  readonly quarantinedCount: number
  /** When a review last made earlier events count; null if none did. It names that correction. */
  readonly correctedAt: number | null
  /** The events of the current hour, by reporter. */
  readonly reporterHours: readonly ReporterHour[]
  /** The highest score claimed by a score credential in force; 0 without one. */
  readonly credentialFloor: number
  /** The model that folded all of the evidence; empty where more than one did. */
  readonly modelVersion: string
  /** The agent that replaced it. */
  readonly successorId: string | null
  /** The agent that it acts for, and whether others act for it. */
  readonly parentId: string | null
  readonly isParent: boolean
  readonly updatedAt: number
}

/** Which agents. There is an index for each. */
export type AgentFilter =
  /** Evidence that another model than this folded. */
  | { readonly notFoldedBy: string }
  /** A score credential in force. */
  | { readonly hasCredentialFloor: true }
  | { readonly isParent: true }
  /** The children of this one that are not deactivated. */
  | { readonly parentId: string }
  /** Released events that do not count yet. */
  | { readonly awaitingRelease: true }
  /** Checkpoints of the model in force that are not attributed. */
  | { readonly unattributed: true }
  /** Those in use that score no more than this. */
  | { readonly ownerId: string; readonly scoreMax: number }

/** The states of agents. To count them reads a whole index. */
export interface AgentStateStore
  extends Pick<Rows<AgentState, Pick<AgentState, 'agentId'>>, 'find'>,
    Many<AgentState>,
    Counted {
  /**
   * Reserves one kind of work about an agent for this transaction; false where another one has it. Reports
   * do not wait for it.
   */
  reserve(agentId: string, work: 'releases' | 'attributions'): Promise<boolean>
  /** Ids of all agents, or of some, in ascending order and in parts; with `after` only those above it. */
  agentIds(filter?: AgentFilter, after?: string | null): AsyncIterable<readonly string[]>
  /**
   * Some agents with events, from all parts of the table, the same ones for the same seed, and the estimated number
   * of all agents. Reads a few pages of the table, whatever its size.
   */
  sample(
    limit: number,
    seed: number,
  ): Promise<{ readonly ids: readonly string[]; readonly agentsInAll: number }>
  /** Saves a state whose whole log was folded by the current model. */
  save(agentState: AgentState): Promise<void>
}

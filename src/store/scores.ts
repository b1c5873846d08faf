import type { Snapshot } from '../domain/snapshot.ts'
import type { AgentState } from './agent-state.ts'
import type { FindOptions, Page } from './types.ts'

export interface HistoryQuery {
  /** Bounds on `createdAt`, both inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Only snapshots numbered below this. */
  readonly before: number | null
  readonly limit: number
}

/**
 * Which agents: those with evidence that another model than this folded, those with a score credential in
 * force, or those with children. There is an index for each.
 */
export type AgentFilter =
  | { readonly notFoldedBy: string }
  | { readonly hasCredentialFloor: true }
  | { readonly isParent: true }

/** The states and snapshots of agents. */
/** Some snapshots of an agent; some of the numbers may be missing. */
export interface SnapshotNumbers {
  readonly agentId: string
  readonly first: number
  readonly last: number
}

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
  /** Snapshots, newest first. */
  history(agentId: string, query: HistoryQuery): Promise<Page<Snapshot>>
  /** Of each of these agents the last snapshot before a time, and those from then on up to another time. */
  numbersWithin(
    agentIds: readonly string[],
    from: number,
    to: number,
  ): Promise<readonly SnapshotNumbers[]>
  /** The snapshots of these numbers; by agent, and in the order of their numbers. */
  numbered(numbers: readonly SnapshotNumbers[]): Promise<readonly Snapshot[]>
  snapshot(agentId: string, id: string): Promise<Snapshot | null>
  /** The number of the last snapshot before an event; 0 if there is none. */
  snapshotsBefore(agentId: string, seq: number): Promise<number>
  /** Adds snapshots of numbers that the agent has none of. */
  addSnapshots(snapshots: readonly Snapshot[]): Promise<void>
  /** Up to this number only some of the snapshots are left; 0 where all are. */
  thinnedUntil(agentId: string): Promise<number>
  /** Replaces the snapshots numbered above `after` by these. */
  replaceSnapshots(agentId: string, after: number, by: readonly Snapshot[]): Promise<void>
}

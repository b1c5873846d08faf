import type { Snapshot } from '../domain/snapshot.ts'
import type { Page } from './types.ts'

export interface SnapshotQuery {
  /** Bounds on `createdAt`, both inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Only snapshots numbered below this. */
  readonly before: number | null
  readonly limit: number
}

/** Some snapshots of an agent; some of the numbers may be missing. */
export interface SnapshotNumbers {
  readonly agentId: string
  readonly first: number
  readonly last: number
}

/** The snapshots of agents, numbered from 1 on for each. `retention.ts` thins them out. */
export interface SnapshotStore {
  find(agentId: string, id: string): Promise<Snapshot | null>
  /** Newest first. */
  list(agentId: string, query: SnapshotQuery): Promise<Page<Snapshot>>
  /** Of each of these agents the last snapshot before a time, and those from then on up to another time. */
  numbersWithin(
    agentIds: readonly string[],
    from: number,
    to: number,
  ): Promise<readonly SnapshotNumbers[]>
  /** The snapshots of these numbers; by agent, and in the order of their numbers. */
  numbered(numbers: readonly SnapshotNumbers[]): Promise<readonly Snapshot[]>
  /** The number of the last snapshot before an event; 0 if there is none. */
  lastBefore(agentId: string, seq: number): Promise<number>
  /** Up to this number only some of the snapshots are left; 0 where all are. */
  thinnedUntil(agentId: string): Promise<number>
  /** Adds snapshots of numbers that the agent has none of. */
  insert(snapshots: readonly Snapshot[]): Promise<void>
  /** Replaces the snapshots numbered above `after` by these. */
  replace(agentId: string, after: number, by: readonly Snapshot[]): Promise<void>
}

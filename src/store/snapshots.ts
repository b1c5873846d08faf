import type { Snapshot } from '../domain/snapshot.ts'
import type { Derived, Inserted, Listed, Rows } from './rows.ts'

/** The snapshots of an agent. */
export interface SnapshotsOf {
  readonly agentId: string
  /** Bounds on `createdAt`, both inclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Whether all that was written is read; by default the list may lag behind, as a replica does. */
  readonly isCurrent?: boolean
}

export interface ThinningBounds {
  /** Of snapshots made before these times only the last of each day, or of each week, is kept. */
  readonly daysBefore: number
  readonly weeksBefore: number
  /** A score below this is kept from then on: it limits the owner's new agents. */
  readonly lowScore: number
  readonly lowSince: number
}

export interface Thinned {
  readonly removed: number
  /** The number to go on after; null at the end. */
  readonly next: number | null
}

/** The snapshots of agents, numbered from 1 on for each. Old ones are thinned out. */
export interface SnapshotStore
  extends Pick<Rows<Snapshot, Pick<Snapshot, 'agentId' | 'id'>>, 'find'>,
    Inserted<Snapshot>,
    Derived<Snapshot>,
    Listed<Snapshot, SnapshotsOf, number> {
  /**
   * Of each of these agents the last snapshot before a time, and those from then on up to another time; by agent,
   * in the order of their numbers, and in parts.
   */
  within(agentIds: readonly string[], from: number, to: number): AsyncIterable<readonly Snapshot[]>
  /** The number of the last snapshot before an event; 0 if there is none. */
  lastBefore(agentId: string, seq: number): Promise<number>
  /** Up to this number some of the snapshots may be missing; 0 where all are there. */
  thinnedUntil(agentId: string): Promise<number>
  /**
   * Takes a bounded number of old snapshots after a number, and removes all but the last of each day or, of older
   * ones, of each week. Those that a review or a new model made are kept.
   */
  thin(agentId: string, after: number, bounds: ThinningBounds): Promise<Thinned>
}

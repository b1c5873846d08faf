import type { Counted, Listed, Rows } from './rows.ts'

/** An agent of another account that an owner or a platform watches. */
export interface WatchRow {
  readonly agentId: string
  readonly holderId: string
  readonly createdAt: number
}

export type WatchKey = Pick<WatchRow, 'agentId' | 'holderId'>

/** A place in the list: watches of one millisecond are in the order of the agents' ids. */
export type WatchPlace = Pick<WatchRow, 'createdAt' | 'agentId'>

/** How many agents the holder watches, how many watch the agent, and how many of these are owners. */
export interface WatchCounts {
  readonly own: number
  readonly its: number
  readonly owners: number
}

/** Watches, listed newest first. */
export interface WatchStore
  extends Pick<Rows<WatchRow, WatchKey>, 'insert' | 'find' | 'delete'>,
    Counted<WatchKey, WatchCounts>,
    Listed<WatchRow, string, WatchPlace> {
  /** Those of these agents that the holder watches. */
  watched(holderId: string, agentIds: readonly string[]): Promise<ReadonlySet<string>>
}

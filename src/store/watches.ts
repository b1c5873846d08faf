import type { Page } from './types.ts'

/** An agent of another account that an owner or a platform watches. */
export interface WatchRow {
  readonly agentId: string
  readonly holderId: string
  readonly createdAt: number
}

export interface WatchStore {
  /** Changes nothing where it is watched already. */
  insert(watch: WatchRow): Promise<void>
  /** By the ids of the agents. */
  list(holderId: string, after: string | null, limit: number): Promise<Page<WatchRow>>
  /** Of these agents those that the holder watches, by agent. */
  find(holderId: string, agentIds: readonly string[]): Promise<ReadonlyMap<string, WatchRow>>
  /** How many agents the holder watches, how many watch the agent, and how many of these are owners. */
  count(
    holderId: string,
    agentId: string,
  ): Promise<{ readonly own: number; readonly its: number; readonly owners: number }>
  /** Everyone who watches an agent watches another one instead from then on. */
  move(fromAgentId: string, toAgentId: string): Promise<void>
  /** Whether there was one. */
  delete(holderId: string, agentId: string): Promise<boolean>
}

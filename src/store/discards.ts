import type { Rows } from './rows.ts'

/** That what a platform reported until then counts no longer, and how far this is carried out. */
export interface Discard {
  readonly platformId: string
  /** The owner in whose vote its reports count; null where it votes for itself. */
  readonly platformOwnerId: string | null
  /** The operator's, at most 500 characters. */
  readonly reason: string
  readonly requestedAt: number
  /** The last agent, in the order of ids, that was checked; null before the first. */
  readonly afterAgentId: string | null
  /** How many agents have the event. */
  readonly agents: number
  /** Agents up to that one that could not be written; they are tried again. */
  readonly leftAgentIds: readonly string[]
  /** Null until every agent that needs the event has it. */
  readonly finishedAt: number | null
}

export type DiscardKey = Pick<Discard, 'platformId'> &
  Partial<Pick<Discard, 'requestedAt' | 'afterAgentId' | 'agents' | 'finishedAt'>>

/** The latest discard of each platform. One that is saved replaces it. */
export interface DiscardStore extends Pick<Rows<Discard, DiscardKey>, 'save' | 'find' | 'update'> {
  /** Those of these platforms, by platform. */
  findMany(platformIds: readonly string[]): Promise<ReadonlyMap<string, Discard>>
  /** The latest discard of what counts in the vote of this platform or owner. */
  latestOf(voter: string): Promise<Discard | null>
  /** Those that are not finished, oldest first. */
  unfinished(limit: number): Promise<readonly Discard[]>
}

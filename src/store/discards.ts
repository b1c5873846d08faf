import type { Rows } from './rows.ts'

/** That what a platform reported until then counts no longer, and how far this is carried out. */
export interface Discard {
  readonly platformId: string
  /** The owner in whose vote its reports count; null where it votes for itself. */
  readonly platformOwnerId: string | null
  /** The operator's, at most 500 characters. */
  readonly reason: string
  readonly requestedAt: number
  /** The last agent, in the order of ids, that was looked at; null before the first. */
  readonly afterAgentId: string | null
  /** How many agents it concerned so far. */
  readonly agents: number
  /** Null until every agent was looked at. */
  readonly finishedAt: number | null
}

export type DiscardKey = Pick<Discard, 'platformId'> &
  Partial<Pick<Discard, 'requestedAt' | 'afterAgentId' | 'finishedAt'>>

/** The latest discard of each platform. One that is saved replaces it. */
export interface DiscardStore extends Pick<Rows<Discard, DiscardKey>, 'save' | 'find' | 'update'> {
  /** Those of these platforms, by platform. */
  findMany(platformIds: readonly string[]): Promise<ReadonlyMap<string, Discard>>
  /** Those that are not finished, oldest first. */
  unfinished(limit: number): Promise<readonly Discard[]>
}

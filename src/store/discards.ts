import type { Many, Rows, Waiting } from './rows.ts'

/** That what a platform reported until then counts no longer, and how far this is carried out. */
export interface Discard {
  readonly platformId: string
  /** The owner in whose vote its reports count; null where it votes for itself. */
  readonly platformOwnerId: string | null
  /** The operator's, at most 500 characters. */
  readonly reason: string
  readonly requestedAt: number
  /** How many agents there were when it began; null before that, and where they could not be counted. */
  readonly agentsInAll: number | null
  /** The last agent, in the order of ids, that was checked; null before the first. */
  readonly afterAgentId: string | null
  /** How many agents were checked, with that one. */
  readonly agentsPassed: number
  /** How many agents have the event. */
  readonly agents: number
  /** Agents up to that one that could not be written; they are tried again. */
  readonly leftAgentIds: readonly string[]
  /** Null until every agent that needs the event has it. */
  readonly finishedAt: number | null
}

export type DiscardKey = Pick<
  Discard,
  'platformId' | 'requestedAt' | 'afterAgentId' | 'agents' | 'finishedAt'
>

/** Of each platform so many are read, the latest. An operator makes few; the audit log has all. */
export const DISCARDS_READ = 21

/** Discards, by platforms the newest first. One that is not finished waits, at most one of each platform. */
export interface DiscardStore
  extends Pick<Rows<Discard, DiscardKey>, 'insert' | 'update'>,
    Many<readonly Discard[]>,
    Waiting<Discard> {
  /** The latest discard of what counts in the vote of this platform or owner. */
  latestOf(voter: string): Promise<Discard | null>
}

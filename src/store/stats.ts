/** Work that waits in the database: how much, and since when. */
export interface Backlog {
  /** At most `BACKLOG_MAX`. */
  readonly count: number
  /** Milliseconds since the epoch, of the oldest item; null where nothing waits. */
  readonly oldestAt: number | null
}

/** Counting goes no further, so that it costs as little with a large backlog as with a small one. */
export const BACKLOG_MAX = 10_000

/** Everything that waits in the database. */
export interface Backlogs {
  /** Quarantined events that await a review. */
  readonly reviews: Backlog
  /** Released events that do not count yet. */
  readonly releases: Backlog
  /** Deliveries that are not finished; the oldest is the one that is overdue the longest. */
  readonly deliveries: Backlog
  readonly mails: Backlog
  readonly erasures: Backlog
  /** Platforms whose reports are being discarded. */
  readonly discards: Backlog
  /** Verified identifiers that are due to be checked. */
  readonly identifierChecks: Backlog
  /** Agents whose evidence another model folded, and checkpoints without an attribution. */
  readonly agentsToMigrate: number
  readonly checkpointsToAttribute: number
}

/** Figures of the whole installation, for its metrics. */
export interface Figures {
  /** Milliseconds since the epoch, by the clock of the database. */
  readonly databaseNow: number
  readonly databaseBytes: number
  /** Of the tables that grow, with their indexes. */
  readonly tableBytes: ReadonlyMap<string, number>
  readonly webhooks: ReadonlyMap<string, number>
  /** When `standing backup` last ended; null for never. */
  readonly lastBackupAt: number | null
  /** Since when the issuing of credentials is halted; null where it is not. */
  readonly issuingHaltedAt: number | null
  /** When the key that signs for each purpose was made. */
  readonly signingKeys: ReadonlyMap<string, number>
}

export interface StatsStore {
  figures(): Promise<Figures>
  /** What waits at a time, where agents are scored by this model. */
  backlogs(now: number, modelVersion: string): Promise<Backlogs>
}

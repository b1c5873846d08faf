import type { Change } from '../changes.ts'
import type { Batching } from '../events.ts'
import type { ShardBounds } from './shards.ts'
import type { Sql } from './sql.ts'

/** What the statements of a noun run on: the pool, or one transaction. */
export interface Session {
  readonly sql: Sql
  /**
   * For lists and logs: outside a transaction on connections of their own, so that many of them at once
   * delay no report.
   */
  readonly lists: Sql
  /** For lists that may lag behind what was just written: on a replica where there is one. */
  readonly lagging: Sql
  /** A UUIDv7. */
  readonly newId: () => string
  /** Where the shards begin in which the rows of agents lie; null on a single server. */
  readonly shards: ShardBounds | null
  readonly batching: Batching
  /** Resolves once the statistics of platforms from this node's reports are written. */
  readonly statisticsWritten: () => Promise<void>
  /** This node reads the statistics of the platform again: in a transaction once it has committed. */
  readonly reporterChanged: (platformId: string) => void
  /** Publishes a change: in a transaction once it has committed, on the pool at once. */
  changed(change: Change): Promise<void>
}

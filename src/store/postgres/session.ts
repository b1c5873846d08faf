import type { Change } from '../changes.ts'
import type { Sql } from './sql.ts'

/** What the statements of a noun run on: the pool, or one transaction. */
export interface Session {
  readonly sql: Sql
  /**
   * The same for lists and logs: outside a transaction on connections of their own, so that many of them
   * at once delay no report.
   */
  readonly lists: Sql
  /** The same for lists that may lag behind what was just written: on a replica where there is one. */
  readonly lagging: Sql
  /** A UUIDv7. */
  readonly newId: () => string
  /** Publishes a change: in a transaction once it has committed, on the pool at once. */
  changed(change: Change): Promise<void>
}

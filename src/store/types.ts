/** A part of a list. */
export interface Page<T> {
  readonly rows: readonly T[]
  /** Whether there are, or may be, rows after the last one. */
  readonly more: boolean
  /**
   * Where the next page begins, if not after the last row: a page compares only a bounded number of rows with
   * its filter, and may end before it is full.
   */
  readonly end?: readonly (string | number)[]
}

/**
 * `lock` locks the row until the transaction ends. Where another transaction has it locked, `wait`
 * waits for that one to end and `skip` answers null. `share` waits for all but others that share the row. Who inserts
 * a row that refers to this one waits for none of them.
 */
export interface FindOptions {
  readonly lock?: 'wait' | 'skip' | 'share'
}

/** The database cannot be reached, or the outcome of a commit is unknown. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/** A batch of several parts was not written. Each part may be written by itself. */
export class NotTogether extends Error {
  override readonly name = 'NotTogether'
}

/** The disk of the database is full. */
export class StoreFull extends StoreUnavailable {
  override readonly name = 'StoreFull'
}

/** What a new row refers to was deleted meanwhile: a person, or test data. Nothing was written. */
export class StoreOutdated extends Error {
  override readonly name = 'StoreOutdated'
}

/** The database was reached, but a lock or a result was not available in time. */
export class StoreBusy extends StoreUnavailable {
  override readonly name = 'StoreBusy'
}

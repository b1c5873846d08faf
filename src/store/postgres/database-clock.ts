/** The clock of the database, in SQL: one for all nodes, in milliseconds since the epoch. */
export const DATABASE_NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** The clock of the database, as last read by this process. */
export interface DatabaseClock {
  /** Its time now; the process's own until it was read once. */
  now(): number
  /** It was read between these two moments of `performance.now`. */
  wasRead(time: number, before: number, after: number): void
}

/**
 * Between two reads it advances with the monotonic clock of the machine, so that no due time depends on
 * the time of day of this machine: that may jump, and differs from node to node.
 */
export function createDatabaseClock(ownNow: () => number = Date.now): DatabaseClock {
  let offset: number | null = null
  return {
    now: () => (offset === null ? ownNow() : Math.round(offset + performance.now())),
    wasRead(time, before, after) {
      offset = time - (before + after) / 2
    },
  }
}

import type { Caller } from '../../core/caller.ts'

/** Counts what a caller looks up against its month. */
export interface Lookups {
  /** Takes so many lookups, all of them or none; throws RATE_LIMIT_EXCEEDED when the month is used up. */
  take(caller: Caller, count: number): Promise<void>
}

/** For an installation that sets no limits. */
export const unlimitedLookups: Lookups = { take: async () => {} }

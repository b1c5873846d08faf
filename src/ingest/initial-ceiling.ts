/**
 * A new agent starts no higher than the worst agent of its owner in the last year, kept or given up: a
 * fresh start must not pay.
 */

import { DAY_MS } from '../domain/time.ts'

/** For how long an agent's score limits the owner's next agents. */
export const OWNER_MEMORY_MS = 365 * DAY_MS

import { shareReads } from '../lib/shared-read.ts'
import { withinMs } from '../lib/within-ms.ts'

/** Why the service cannot serve at the moment; null when it can. */
export type NotReady = () => Promise<string | null>

/** What the database answers. */
export interface Ping {
  /** As a standby is until it is promoted. Requests are counted, so hardly one can be served. */
  readonly isReadOnly: boolean
}

export interface ReadinessOptions {
  readonly ping: () => Promise<Ping>
  readonly pingMaxMs?: number
}

/**
 * A monitor gives up after some seconds; a database that needs one second for an empty query is
 * unusable.
 */
const PING_MAX_MS = 900

/** A change is seen within this, however often readiness is asked for. */
const AGE_MAX_MS = 250

/** Queries the database, for at most a second and a small share of the time. */
export function createReadiness({ ping, pingMaxMs = PING_MAX_MS }: ReadinessOptions): NotReady {
  return shareReads({ read: () => reasonFrom(ping, pingMaxMs), ageMaxMs: AGE_MAX_MS })
}

async function reasonFrom(ping: () => Promise<Ping>, maxMs: number): Promise<string | null> {
  try {
    const { isReadOnly } = await withinMs(ping(), maxMs, LATE)
    return isReadOnly ? 'the database is read-only' : null
  } catch (error) {
    // Readiness is public: the reason is the kind of problem, not the address of the database.
    const { code } = error as { code?: unknown }
    return `the database cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`
  }
}

/** The system's code for a connection that does not answer. */
const LATE = Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' })

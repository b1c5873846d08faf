import { shareReads } from '../lib/shared-read.ts'

/** Why the service cannot serve at the moment; null when it can. */
export type NotReady = () => Promise<string | null>

export interface ReadinessOptions {
  /** Any statement of the database. */
  readonly ping: () => Promise<unknown>
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

async function reasonFrom(ping: () => Promise<unknown>, maxMs: number): Promise<string | null> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), maxMs)
  try {
    await Promise.race([ping(), aborted(late.signal)])
    return null
  } catch (error) {
    // Readiness is public: the reason is the kind of problem, not the address of the database.
    const { code } = error as { code?: unknown }
    return `the database cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`
  } finally {
    clearTimeout(timer)
  }
}

/** The system's code for a connection that does not answer. */
const LATE = Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' })

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(LATE), { once: true })
  })
}

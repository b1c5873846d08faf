import { TrustError } from '../domain/error.ts'
import { KEY_USE_MS } from './key-use.ts'

/**
 * A node stores uses once a minute, and other nodes read them seconds later. A session ends only when two such
 * writes lie behind the limit, so that one in use never ends early.
 */
const STORED_MS = 2 * KEY_USE_MS

/** A session that was last used then or before has ended; 0 where sessions end by their age alone. */
export function idleBefore(idleMs: number | null, now: number): number {
  return idleMs === null ? 0 : now - idleMs - STORED_MS
}

/** The refusal for the token of a session that has ended in this way. */
export function idleSession(): TrustError {
  return new TrustError(
    'AUTHENTICATION_REQUIRED',
    'the session has ended because it was not used for a while; sign in again',
    { reason: 'session_idle' },
  )
}

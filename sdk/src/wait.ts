import type { StandingError } from './error.ts'

/**
 * Why a call waits: a limit is reached (429), the service does not answer (no connection, a timeout,
 * 502, 503, 504), or an attempt with the same Idempotency-Key is still running (409).
 */
export type WaitReason = 'rate_limit' | 'unavailable' | 'in_progress'

/** A call is about to wait, and will then be repeated. */
export interface WaitInfo {
  readonly reason: WaitReason
  readonly seconds: number
  /** How many attempts have failed, 1 or more. */
  readonly attempt: number
  readonly method: string
  readonly path: string
  /** What the last attempt failed with. */
  readonly error: StandingError
}

/** How to wait; it throws the signal's reason where that is aborted. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

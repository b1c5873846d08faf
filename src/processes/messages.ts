/** What a process asks the one that records the reports of a machine, and what that one says. */
import type { Caller } from '../domain/caller.ts'
import type { ErrorCode, ErrorDetails } from '../domain/error.ts'
import type { ResponseHeaders } from '../http/response.ts'
import type { Change } from '../store/store.ts'

/** A request that was admitted, to be carried out. Its body follows as bytes. */
export interface Asked {
  /** Counted by the one who asks. */
  readonly id: number
  /** The name of the endpoint. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly search: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly peer: string
  readonly requestId: string
  readonly basePath: string
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  readonly address: string
}

/** `are you there`: is answered at once. */
export type Question = Asked | 'are you there'

/** What became of a request. The body of a response follows as bytes. */
export type Answer = { readonly id: number } & (
  | { readonly status: number; readonly headers?: ResponseHeaders; readonly type: string | null }
  | { readonly refusal: Refusal }
  | { readonly isTaken: false }
)

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
  readonly retryAfterSeconds?: number | undefined
}

/**
 * `ready`: requests are taken. `leaving`: no more are. A change of data is said before the answer of a request that
 * made it, so that who asked reads what was written.
 */
export type Said = Answer | 'here' | 'ready' | 'leaving' | { readonly change: Change }

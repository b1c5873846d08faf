/** The messages between a process and the one that records the reports of a machine. */
import type { Caller } from '../domain/caller.ts'
import type { ErrorCode, ErrorDetails } from '../domain/error.ts'
import type { ResponseHeaders } from '../http/response.ts'
import type { Change } from '../store/store.ts'

/** A request that was admitted, to be carried out. Its body follows as bytes. */
export interface ForwardedRequest {
  /** Counted by the process that forwards. */
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

/** `ping`: is answered by `pong` at once. */
export type ToRecorder = ForwardedRequest | 'ping'

/** What became of a request. The body of a response follows as bytes. */
export type ForwardedResponse = { readonly id: number } & (
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
 * `ready`: requests are taken. `closing`: no more are. A change of data is sent before the response to the request that
 * made it, so that the client of that request reads what was written.
 */
export type FromRecorder =
  | ForwardedResponse
  | 'pong'
  | 'ready'
  | 'closing'
  | { readonly change: Change }

import type { CredentialKind } from './options.ts'
import type { Query } from './url.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

export interface WriteOptions extends CallOptions {
  /** 1 to 255 visible ASCII characters; a fresh one for each call by default. */
  readonly idempotencyKey?: string | undefined
}

export interface Call {
  readonly method: Method
  readonly path: string
  /** In order of preference: the first that the client has is sent. Empty for an anonymous call. */
  readonly as: readonly CredentialKind[]
  readonly query?: Query | undefined
  readonly body?: unknown
  /** True for what changes something, and so goes with an Idempotency-Key. */
  readonly write: boolean
  /** True for an answer of JSON lines: it is given as text. */
  readonly isText?: boolean | undefined
  /** For an answer of server-sent events: it is given as a stream, from behind this event on. */
  readonly stream?: { readonly lastEventId: string | undefined } | undefined
  readonly options?: WriteOptions | undefined
}

/** Makes a call, repeated where that is safe and can help. `T` is what the service documents. */
export type Send = <T>(call: Call) => Promise<T>

import type { CallerKind, CallerOf } from '../domain/caller.ts'
import type { ErrorCode } from '../domain/error.ts'
import type { Store } from '../store/store.ts'
import type { IdempotentRequest } from './idempotency.ts'
import type { Request } from './request.ts'
import type { Response } from './response.ts'
import type { z } from './schema.ts'

export type Method = 'get' | 'post' | 'patch' | 'delete'

/** What a request is once it has been let in and parsed. */
export interface Input<K extends CallerKind, P, Q, B> {
  readonly caller: CallerOf<K>
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly request: Request
  readonly requestId: string
  /** Where the request comes from: an IPv4 address, or the /64 of an IPv6 one. */
  readonly address: string
  /** The body as it came. */
  readonly bodyBytes: Uint8Array
  /**
   * Runs the operation in one transaction. A repeated Idempotency-Key gets the first response here,
   * and the response is stored in the same transaction as the effect.
   */
  readonly transact: (work: (store: Store) => Promise<Response>) => Promise<Response>
  /** For an operation with a transaction of its own: whether to carry it out, and what to store of it. */
  readonly idempotency: IdempotentRequest | null
}

/**
 * One operation: who may call it, what it takes and gives, and what it does. The schemas parse the
 * request, are its types, and are what the OpenAPI document says of it.
 */
export interface Route {
  readonly method: Method
  /** With its parameters in braces: `/v1/agents/{id}`. */
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly callers: readonly CallerKind[]
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly answers: Readonly<Record<number, AnswerSpec>>
  /** Codes beside those that every operation can answer. */
  readonly errors?: readonly ErrorCode[]
  /** May be asked from any web page: it answers everyone the same. */
  readonly isPublic?: boolean
  /** Nobody is asked who he is, nor counted: what watches the service must not be turned away. */
  readonly isUncounted?: boolean
  readonly handle: (input: Input<CallerKind, never, never, never>) => Promise<Response>
}

export interface AnswerSpec {
  readonly description: string
  readonly schema?: z.ZodType
  readonly contentType?: string
  /** Other media types that it can be had in, as text. */
  readonly orText?: readonly string[]
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** Declares a route; what it is given to handle has the types of its schemas. */
export function route<
  const K extends CallerKind,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: Omit<Route, 'callers' | 'params' | 'query' | 'body' | 'handle'> & {
    readonly callers: readonly K[]
    readonly params?: P
    readonly query?: Q
    readonly body?: B
    readonly handle: (input: Input<K, Parsed<P>, Parsed<Q>, Parsed<B>>) => Promise<Response>
  },
): Route {
  // The edge hands over just what the schemas made of the request; the types above say so.
  return spec as unknown as Route
}

import type { CallerKind, CallerOf } from '../domain/caller.ts'
import type { ErrorCode } from '../domain/error.ts'
import type { Permission } from '../domain/permission.ts'
import type { Awaitable } from '../lib/awaitable.ts'
import type { Store } from '../store/store.ts'
import type { ErrorContext } from './errors.ts'
import type { IdempotentRequest, TwoParts } from './idempotency.ts'
import type { RequestQueue } from './intake.ts'
import type { Request } from './request.ts'
import type { Response } from './response.ts'
import type { z } from './schema.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * The declaration of an operation: data alone. Its schemas parse the request, give the handler its
 * types, and are what the OpenAPI document shows.
 */
export interface RouteSpec {
  readonly method: Method
  /** With its parameters in braces: `/v1/agents/{id}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly callers: readonly CallerKind[]
  /** What an owner's key or member needs. Defaults to `read` for a GET and to `manage` otherwise. */
  readonly permission?: Permission
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Other forms of the body by their media type; each parses to what the handler takes, unless that reads a stream. */
  readonly otherBodies?: Readonly<Record<string, z.ZodType>>
  readonly responses: Readonly<Record<number, ResponseSpec>>
  /** Error codes beyond those that every operation can return. */
  readonly errors?: readonly ErrorCode[]
  /** Open to every web page (CORS): the response is the same for every caller. */
  readonly isPublic?: boolean
  /** No authentication and no rate limit: monitoring must not be turned away. */
  readonly isUnmetered?: boolean
  /** Ends access, replaces a key or lists what can be ended: a caller whose quota is used up may still do it. */
  readonly isNeverLimited?: boolean
  /** The media type of a body that the handler reads from `request.body` as a stream. */
  readonly streams?: string
  /** The media type of requests in Protocol Buffers; their errors are a `google.rpc.Status` of that type. */
  readonly rpcType?: string
  /** Whether the response has the request's own `X-Request-Id`, where it has one. */
  readonly echoesRequestId?: boolean
  /** The error for a body whose media type is not JSON, where a standard asks for another error than 415. */
  readonly refusesMediaTypesAs?: ErrorCode
  /** The queue of its requests; by default `read` for GET, otherwise `change`. */
  readonly queue?: RequestQueue
  /** Whether it records reports. Of several processes of a machine, one does that for all. */
  readonly recordsReports?: boolean
  /** Whether it writes, and is refused while the disk is nearly full; by default all but GET. */
  readonly writes?: boolean
}

export interface ResponseSpec {
  readonly description: string
  readonly schema?: z.ZodType
  /** Defaults to `application/json`. */
  readonly contentType?: string
  /** Other media types that the client may ask for, as text. */
  readonly textTypes?: readonly string[]
}

/** What an owner's key or member needs; null where anyone may call, or no owner. */
export function permissionOf({ callers, permission, method }: RouteSpec): Permission | null {
  if (callers.includes('anonymous') || !callers.includes('owner')) {
    return null
  }
  return permission ?? (method === 'get' ? 'read' : 'manage')
}

/** Whether a repeated Idempotency-Key gets the first response. A body that is a stream is not read twice. */
export function takesKey({ method, streams }: RouteSpec): boolean {
  return method !== 'get' && streams === undefined
}

/** The declarations of one noun of the API, each under its operationId. */
export type RouteSpecs = Readonly<Record<string, RouteSpec>>

/** A declaration with its name in the OpenAPI document, the SDK and the metrics. */
export interface Operation extends RouteSpec {
  readonly operationId: string
}

/** An operation that can be served. */
export interface Route extends Operation {
  readonly handle: (input: Input) => Awaitable<Response>
}

/** What a handler is given: the request after authentication, rate limiting and parsing. */
export interface Input<K extends CallerKind = CallerKind, P = unknown, Q = unknown, B = unknown>
  extends ErrorContext {
  readonly caller: CallerOf<K>
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly request: Request
  /** The client's address: IPv4, or the /64 of an IPv6 address. */
  readonly address: string
  /** The body as received. */
  readonly bodyBytes: Uint8Array
  /**
   * Runs the operation in one transaction. A repeated Idempotency-Key gets the first response here,
   * and the response is stored in the same transaction as the effect.
   */
  readonly transact: (work: (store: Store) => Promise<Response>) => Promise<Response>
  /**
   * `transact` for an operation whose first part takes long and writes nothing: that part runs before the
   * transaction, and not at all for a repeated Idempotency-Key.
   */
  readonly transactAfter: <T>(parts: TwoParts<T>) => Promise<Response>
  /**
   * Runs an operation that is safe to run twice, without a transaction around it. A repeated Idempotency-Key
   * gets the first response.
   */
  readonly respondOnce: (work: () => Promise<Response>) => Promise<Response>
  /** For an operation with a transaction of its own: whether to run it, and what to store. */
  readonly idempotency: IdempotentRequest | null
}

/** What the handler of a declaration is given. */
export type InputOf<S extends RouteSpec> = Input<
  S['callers'][number],
  Parsed<S['params']>,
  Parsed<S['query']>,
  Parsed<S['body']>
>

type Parsed<Z> = Z extends z.ZodType ? z.output<Z> : undefined

/** A handler for each declaration, typed by it. `D` is what the handlers work with. */
export type Handlers<S extends RouteSpecs, D> = {
  readonly [Name in keyof S]: (deps: D, input: InputOf<S[Name]>) => Awaitable<Response>
}

/** The declarations as a list, in their order. */
export function operationsOf(specs: RouteSpecs): readonly Operation[] {
  return Object.entries(specs).map(([operationId, spec]) => ({ operationId, ...spec }))
}

/** Joins declarations with their handlers; one that has no handler does not compile. */
export function bind<S extends RouteSpecs, D>(
  specs: S,
  deps: D,
  handlers: Handlers<S, D>,
): readonly Route[] {
  return operationsOf(specs).map((operation) => {
    const handler: Handler<D> = handlers[operation.operationId as keyof S]
    // The edge parses each request by the schemas of its own declaration.
    return { ...operation, handle: (input) => handler(deps, input as never) }
  })
}

type Handler<D> = (deps: D, input: never) => Awaitable<Response>

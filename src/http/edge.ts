import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../domain/caller.ts'
import { notFound, TrustError, unavailable } from '../domain/error.ts'
import { type Store, StoreBusy, StoreUnavailable } from '../store/store.ts'
import { type Authenticate, callerOf, checkCaller, credentialOf } from './authentication.ts'
import { errorResponse, internalError } from './errors.ts'
import {
  type IdempotencyOptions,
  idempotencyKeyOf,
  idempotentRequest,
  transactOnce,
} from './idempotency.ts'
import { type CountRequest, limitHeaders } from './limits.ts'
import { parseRequest } from './parse.ts'
import { pathOf, type Request, requestOf } from './request.ts'
import type { Response } from './response.ts'
import type { Route } from './route.ts'
import { createRouter } from './router.ts'
import { outgoingOf, send, type WritableResponse } from './write-response.ts'

/** What the edge is given to let requests in by. */
export interface Edge {
  readonly store: Store
  readonly authenticate: Authenticate
  readonly countRequest: CountRequest
  readonly idempotency: IdempotencyOptions
  readonly now: () => number
  readonly newId: () => string
  readonly addressOf: (request: Request) => string
  /** Told of every answer: which operation gave it (`none` where there is none), and how long it took. */
  readonly onAnswered: (operation: string, status: number, seconds: number) => void
  /** Told of every fault that is ours. */
  readonly onFault: (error: unknown, requestId: string) => void
}

/** The operations, as Node's server asks for them. */
export interface Api {
  /** Answers what is asked at a path of an operation; false where the path is none. */
  answer(req: IncomingMessage, res: ServerResponse): boolean
  /** Says which methods there are at a path that is none of an operation's. */
  refuseMethod(req: IncomingMessage, res: ServerResponse, methods: readonly string[]): Promise<void>
  /** Says that there is nothing at this path, to whoever asks, within his limits. */
  refusePath(req: IncomingMessage, res: ServerResponse): Promise<void>
  /** Says that we failed, and no more. */
  fail(req: IncomingMessage, res: ServerResponse, error: unknown): Promise<void>
}

/** Serves the routes, and says of every other method on their paths which ones there are. */
export function createApi(edge: Edge, routes: readonly Route[]): Api {
  const router = createRouter(routes)
  const respond = (
    req: IncomingMessage,
    res: ServerResponse,
    serving: Serving,
    operation = 'none',
  ) =>
    respondTo(edge, { req, res, serving, operation }).catch((error: unknown) => {
      edge.onFault(error, 'none')
      res.destroy()
    })
  const offer = (
    req: IncomingMessage,
    res: ServerResponse,
    methods: readonly string[],
    isOpen: boolean,
  ) => {
    const allow = [...methods, 'OPTIONS'].sort().join(', ')
    return req.method === 'OPTIONS'
      ? send(req, res, preflight(allow, isOpen, edge.newId()))
      : respond(req, res, refuseMethod(edge, allow))
  }
  return {
    answer(req, res) {
      const found = router(req.method ?? '', pathOf(req))
      if (!found) {
        return false
      }
      const { route, params, methods } = found
      if (route) {
        void respond(req, res, serve(edge, route, params), route.operationId)
      } else {
        void offer(req, res, [...methods.keys()], isPublic(methods))
      }
      return true
    },
    refuseMethod: (req, res, methods) => offer(req, res, methods, false),
    refusePath: (req, res) =>
      respond(req, res, async (request, _requestId, headers) => {
        await admit(edge, request, headers)
        throw notFound('path')
      }),
    fail: (req, res, error) => respond(req, res, () => Promise.reject(error)),
  }
}

/** What a web page may read of an answer, beside what it always may. */
const EXPOSED = 'etag, ratelimit, ratelimit-policy, retry-after, x-request-id'

/** A step of the way in adds to the response's headers, whatever becomes of the request. */
type HeadersOut = string[]
type Serving = (request: Request, requestId: string, headers: HeadersOut) => Promise<Response>

function serve(edge: Edge, route: Route, params: Record<string, string>): Serving {
  return async (request, requestId, headers) => {
    if (route.isPublic) {
      headers.push('access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED)
    }
    const { caller, address } = route.isUnmetered
      ? stranger(edge, request)
      : await admit(edge, request, headers)
    checkCaller(caller, route.callers)
    const key = route.method === 'get' ? null : idempotencyKeyOf(request.headers)
    const parsed = await parseRequest(route, request, params)
    const { bodyBytes } = parsed
    const idempotency = key
      ? idempotentRequest(edge.idempotency, caller, request, { key, bodyBytes, requestId })
      : null
    const { now, store } = edge
    const transact = (work: (store: Store) => Promise<Response>) =>
      transactOnce(store, idempotency, now, work)
    return route.handle({
      params: parsed.params as never,
      query: parsed.query as never,
      body: parsed.body as never,
      bodyBytes,
      caller,
      request,
      requestId,
      address,
      transact,
      idempotency,
    })
  }
}

/** Somebody, without a look at what he shows. */
function stranger(edge: Edge, request: Request): Admitted {
  const address = edge.addressOf(request)
  return { caller: { kind: 'anonymous', address }, address }
}

interface Admitted {
  readonly caller: Caller
  readonly address: string
}

/** Finds out who asks, and counts it; a credential that is nobody's counts where it comes from. */
async function admit(edge: Edge, request: Request, headers: HeadersOut): Promise<Admitted> {
  const nobody = stranger(edge, request)
  const { address } = nobody
  let { caller } = nobody
  try {
    const credential = credentialOf(request.headers)
    if (credential !== null) {
      caller = await callerOf(credential, edge.authenticate)
    }
  } catch (error) {
    if (error instanceof TrustError) {
      await countRequest(edge, nobody.caller, headers)
    }
    throw error
  }
  await countRequest(edge, caller, headers)
  return { caller, address }
}

async function countRequest(edge: Edge, caller: Caller, headers: HeadersOut): Promise<void> {
  const decision = await edge.countRequest(caller)
  if (!decision) {
    return
  }
  headers.push(...limitHeaders(decision))
  if (decision.allowed) {
    return
  }
  throw new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `more than ${decision.limit} requests in a minute; wait ${decision.resetSeconds} s`,
    { limit: 'requests_per_minute', max: decision.limit },
    decision.resetSeconds,
  )
}

/** Turns whatever comes of serving into a response; a fault of ours tells nothing of itself. */
async function respondTo(edge: Edge, { req, res, serving, operation }: Exchange): Promise<void> {
  const startedAt = performance.now()
  const request = requestOf(req)
  const requestId = edge.newId()
  const headers: HeadersOut = ['x-request-id', requestId]
  let answer: Response
  try {
    answer = await serving(request, requestId, headers)
  } catch (error) {
    answer = errorResponse(refusalOf(edge, error, requestId), requestId)
    if (answer.status === 429) {
      answer = waitForReset(answer, headers)
    }
  }
  const outgoing = outgoingOf(answer, headers, request.headers)
  const sent = send(req, res, outgoing)
  edge.onAnswered(operation, outgoing.status, (performance.now() - startedAt) / 1000)
  await sent
}

interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly serving: Serving
  readonly operation: string
}

/** Whatever the limit, nobody is told to come back before his minute is over. */
function waitForReset(answer: Response, headers: HeadersOut): Response {
  const reset = Number(/t=(\d+)/.exec(headers[headers.indexOf('ratelimit') + 1] ?? '')?.[1] ?? 0)
  const wait = Math.max(reset, Number(answer.headers?.['retry-after'] ?? 0))
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(wait) } }
}

function refusalOf(edge: Edge, error: unknown, requestId: string): TrustError {
  if (error instanceof TrustError) {
    return error
  }
  edge.onFault(error, requestId)
  if (error instanceof StoreBusy) {
    return unavailable('the database is busy with this just now; nothing was written, retry')
  }
  if (error instanceof StoreUnavailable) {
    return unavailable(
      'the database cannot be reached just now; nothing is known to be lost, retry',
    )
  }
  return internalError()
}

type Methods = ReadonlyMap<string, { readonly route: Route }>

function isPublic(methods: Methods): boolean {
  return [...methods.values()].some(({ route }) => route.isPublic)
}

function refuseMethod(edge: Edge, allow: string): Serving {
  return async (request, _requestId, headers) => {
    await admit(edge, request, headers)
    throw new TrustError('METHOD_NOT_ALLOWED', `this path takes ${allow}`, { allow })
  }
}

/** How long a browser may remember what it was told of a path. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400

function preflight(allow: string, isOpen: boolean, requestId: string): WritableResponse {
  const cors = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': allow,
    'access-control-allow-headers':
      'authorization, content-type, idempotency-key, if-none-match, x-api-key',
    'access-control-expose-headers': EXPOSED,
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
  }
  const own = { 'x-request-id': requestId, allow, ...(isOpen ? cors : {}) }
  const headers = Object.entries(own).flat()
  return { status: 204, headers, body: null }
}

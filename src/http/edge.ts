import type { Context, Hono } from 'hono'
import type { Caller } from '../core/caller.ts'
import { notFound, TrustError } from '../core/error.ts'
import { type Store, StoreUnavailable } from '../store/store.ts'
import type { Answer } from './answer.ts'
import { type Authenticate, callerOf, checkCaller } from './callers.ts'
import { errorAnswer, internalError, unavailable } from './errors.ts'
import {
  type IdempotencyOptions,
  idempotencyKeyOf,
  keepingOf,
  transactOnce,
} from './idempotency.ts'
import { type CountRequest, limitHeaders } from './limits.ts'
import { parseRequest } from './parse.ts'
import type { Route } from './route.ts'

/** What the edge is given to let requests in by. */
export interface Edge {
  readonly store: Store
  readonly authenticate: Authenticate
  readonly countRequest: CountRequest
  readonly idempotency: IdempotencyOptions
  readonly now: () => number
  readonly newId: () => string
  readonly addressOf: (context: Context) => string
  /** Told of every answer: which operation gave it (`none` where there is none), and how long it took. */
  readonly onAnswered: (operation: string, status: number, seconds: number) => void
  /** Told of every fault that is ours. */
  readonly onFault: (error: unknown, requestId: string) => void
}

/** Serves the routes, and says of every other method on their paths which ones there are. */
export function mount(app: Hono, edge: Edge, routes: readonly Route[]): void {
  // `/v1/agents/me` before `/v1/agents/{id}`, which would take `me` for an id.
  const hasParameter = ({ path }: Route) => path.includes('{')
  mountAll(
    app,
    edge,
    routes.filter((route) => !hasParameter(route)),
  )
  mountAll(app, edge, routes.filter(hasParameter))
}

function mountAll(app: Hono, edge: Edge, routes: readonly Route[]): void {
  for (const route of routes) {
    const path = honoPath(route.path)
    app.on(route.method, path, (context) =>
      respond(edge, context, serve(edge, route, context), route.operationId),
    )
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.options(path, (context) => preflight(context, routes, path, methods))
    app.all(path, (context) => respond(edge, context, refuseMethod(edge, context, methods)))
  }
}

/** What a web page may read of an answer, beside what it always may. */
const EXPOSED = 'etag, ratelimit, ratelimit-policy, retry-after, x-request-id'

/** A step of the way in adds to the response's headers, whatever becomes of the request. */
type HeadersOut = Record<string, string>
type Serving = (requestId: string, headers: HeadersOut) => Promise<Answer>

function serve(edge: Edge, route: Route, context: Context): Serving {
  return async (requestId, headers) => {
    const request = context.req.raw
    if (route.isPublic) {
      headers['access-control-allow-origin'] = '*'
      headers['access-control-expose-headers'] = EXPOSED
    }
    const { caller, address } = await admit(edge, context, headers)
    checkCaller(caller, route.callers)
    const key = route.method === 'get' ? null : idempotencyKeyOf(request.headers)
    const parsed = await parseRequest(route, request, context.req.param())
    const { bodyBytes } = parsed
    const keeping = key
      ? keepingOf(edge.idempotency, caller, request, { key, bodyBytes, requestId })
      : null
    const { now, store } = edge
    const transact = (work: (store: Store) => Promise<Answer>) =>
      transactOnce(store, keeping, { now, requestId }, work)
    return route.handle({
      ...(parsed as { params: never; query: never; body: never; bodyBytes: Uint8Array }),
      caller,
      request,
      requestId,
      address,
      transact,
      keeping,
    })
  }
}

/** Finds out who asks, and counts it; a credential that is nobody's counts where it comes from. */
async function admit(
  edge: Edge,
  context: Context,
  headers: HeadersOut,
): Promise<{ readonly caller: Caller; readonly address: string }> {
  const address = edge.addressOf(context)
  let caller: Caller
  try {
    caller = await callerOf(context.req.raw.headers, address, edge.authenticate)
  } catch (error) {
    if (error instanceof TrustError)
      await countRequest(edge, { kind: 'anonymous', address }, headers)
    throw error
  }
  await countRequest(edge, caller, headers)
  return { caller, address }
}

async function countRequest(edge: Edge, caller: Caller, headers: HeadersOut): Promise<void> {
  const decision = await edge.countRequest(caller)
  if (!decision) return
  Object.assign(headers, limitHeaders(decision))
  if (decision.allowed) return
  throw new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `more than ${decision.limit} requests in a minute; wait ${decision.resetSeconds} s`,
    { limit: 'requests_per_minute', max: decision.limit },
    decision.resetSeconds,
  )
}

/** Turns whatever comes of serving into a response; a fault of ours tells nothing of itself. */
export async function respond(
  edge: Edge,
  context: Context,
  serving: Serving,
  operation = 'none',
): Promise<Response> {
  const startedAt = performance.now()
  const requestId = edge.newId()
  const headers: HeadersOut = { 'x-request-id': requestId }
  let answer: Answer
  try {
    answer = await serving(requestId, headers)
  } catch (error) {
    answer = errorAnswer(refusalOf(edge, error, requestId), requestId)
    if (answer.status === 429) answer = waitForReset(answer, headers)
  }
  const response = toResponse(answer, headers, context.req.raw)
  edge.onAnswered(operation, response.status, (performance.now() - startedAt) / 1000)
  return response
}

/** Whatever the limit, nobody is told to come back before his minute is over. */
function waitForReset(answer: Answer, headers: HeadersOut): Answer {
  const reset = Number(/t=(\d+)/.exec(headers.ratelimit ?? '')?.[1] ?? 0)
  const wait = Math.max(reset, Number(answer.headers?.['retry-after'] ?? 0))
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(wait) } }
}

function refusalOf(edge: Edge, error: unknown, requestId: string): TrustError {
  if (error instanceof TrustError) return error
  edge.onFault(error, requestId)
  if (error instanceof StoreUnavailable)
    return unavailable(
      'the database cannot be reached just now; nothing is known to be lost, retry',
    )
  return internalError()
}

function toResponse(answer: Answer, headers: HeadersOut, request: Request): Response {
  const all = { ...headers, ...answer.headers }
  if (answer.body === undefined) return new Response(null, { status: answer.status, headers: all })
  if (all.etag && answer.status === 200 && matches(request.headers.get('if-none-match'), all.etag))
    return new Response(null, { status: 304, headers: all })
  if (typeof answer.body === 'string' || answer.body instanceof ReadableStream)
    return new Response(answer.body, { status: answer.status, headers: all })
  all['content-type'] ??= 'application/json; charset=utf-8'
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers: all })
}

/** Whether the asker has this version already: `*`, or one of the tags, weak or not. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}

/** Says that there is nothing at this path, to whoever asks, within his limits. */
export function refusePath(edge: Edge, context: Context): Promise<Response> {
  return respond(edge, context, async (_requestId, headers) => {
    await admit(edge, context, headers)
    throw notFound('path')
  })
}

function refuseMethod(edge: Edge, context: Context, methods: readonly string[]): Serving {
  return async (_requestId, headers) => {
    await admit(edge, context, headers)
    const allow = methods.join(', ')
    throw new TrustError('METHOD_NOT_ALLOWED', `this path takes ${allow}`, { allow })
  }
}

/** How long a browser may remember what it was told of a path. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400

function preflight(
  context: Context,
  routes: readonly Route[],
  path: string,
  methods: readonly string[],
): Response {
  const allow = methods.join(', ')
  const isPublic = routes.some((route) => honoPath(route.path) === path && route.isPublic)
  const cors = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': allow,
    'access-control-allow-headers':
      'authorization, content-type, idempotency-key, if-none-match, x-api-key',
    'access-control-expose-headers': EXPOSED,
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
  }
  return context.body(null, 204, { allow, ...(isPublic ? cors : {}) })
}

function methodsByPath(routes: readonly Route[]): Map<string, readonly string[]> {
  const paths = new Map<string, Set<string>>()
  for (const { path, method } of routes) {
    const methods = paths.get(honoPath(path)) ?? new Set()
    methods.add(method.toUpperCase())
    if (method === 'get') methods.add('HEAD')
    paths.set(honoPath(path), methods.add('OPTIONS'))
  }
  return new Map([...paths].map(([path, methods]) => [path, [...methods].sort()]))
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

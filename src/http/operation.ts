import { type Caller, modeOfCaller } from '../domain/caller.ts'
import { type Awaitable, andThen } from '../lib/awaitable.ts'
import type { Store } from '../store/store.ts'
import { checkCaller, checkPermission } from './authentication.ts'
import type { Endpoint, Exchange } from './endpoint.ts'
import {
  type IdempotencyOptions,
  type IdempotentRequest,
  idempotencyKeyOf,
  idempotentRequest,
  respondOnce,
  transactAfter,
  transactOnce,
} from './idempotency.ts'
import type { Room } from './intake.ts'
import { type Parsed, parseRequest } from './parse.ts'
import type { Response } from './response.ts'
import { type Input, permissionOf, type Route } from './route.ts'

export interface OperationOptions {
  readonly store: Store
  readonly modes: Modes
  readonly idempotency: IdempotencyOptions
}

/** Keeps test data and live data apart. */
export interface Modes {
  /** The check of a route's callers; null where it has none. */
  checkOf(route: Route): ModeCheck | null
  /** Called before an operation of a caller in test mode writes. */
  prepare(caller: Caller): Promise<unknown>
}

/** @throws TrustError where the route, or an id in its path, is not of the caller's mode */
export type ModeCheck = (caller: Caller, params: unknown) => void

/** An operation of the API: checks the caller, parses the request, and runs the handler. */
export function operationEndpoint(route: Route, options: OperationOptions): Endpoint {
  const { method, path, operationId, isPublic = false, isUnmetered = false } = route
  const { echoesRequestId = false, isNeverLimited = false } = route
  const checked = { ...options, checkMode: options.modes.checkOf(route) }
  return {
    method,
    path,
    name: operationId,
    admission: isUnmetered ? 'unmetered' : isNeverLimited ? 'counted' : 'caller',
    room: roomOf(route),
    isPublic,
    isForPeople: false,
    echoesRequestId,
    handle: (exchange) => handle(route, checked, exchange),
  }
}

function roomOf({ method, isUnmetered, room }: Route): Room {
  if (isUnmetered) {
    return 'none'
  }
  return room ?? (method === 'get' ? 'read' : 'write')
}

interface Checked extends OperationOptions {
  readonly checkMode: ModeCheck | null
}

function handle(route: Route, options: Checked, exchange: Exchange): Awaitable<Response> {
  const { caller, request, params } = exchange
  checkCaller(caller, route.callers)
  checkPermission(caller, permissionOf(route))
  const key = route.method === 'get' || route.streams ? null : idempotencyKeyOf(request.headers)
  return andThen(parseRequest(route, request, params), (parsed) => {
    const { bodyBytes } = parsed
    options.checkMode?.(caller, parsed.params)
    const idempotent = key
      ? idempotentRequest(options.idempotency, caller, request, { key, bodyBytes, error: exchange })
      : null
    const input = inputOf(options, exchange, parsed, idempotent)
    return modeOfCaller(caller) === 'live'
      ? route.handle(input)
      : handleTest(route, options.modes, input)
  })
}

/** What anyone may read in live mode is for those alone who test: no cache may share it. */
async function handleTest(route: Route, { prepare }: Modes, input: Input): Promise<Response> {
  if (route.method !== 'get') {
    await prepare(input.caller)
  }
  const response = await route.handle(input)
  return { ...response, headers: { ...response.headers, 'cache-control': 'no-store' } }
}

/** Spelt out: to spread these objects takes a tenth of the time of a cached read. */
function inputOf(
  { store, idempotency: { now } }: OperationOptions,
  { caller, address, request, requestId, basePath }: Exchange,
  { params, query, body, bodyBytes }: Parsed,
  idempotency: IdempotentRequest | null,
): Input {
  return {
    caller: caller as never,
    address,
    request,
    requestId,
    basePath,
    params,
    query,
    body,
    bodyBytes,
    idempotency,
    transact: (work) => transactOnce(store, idempotency, now, work),
    transactAfter: (parts) => transactAfter(store, idempotency, now, parts),
    respondOnce: (work) => respondOnce(store, idempotency, now, work),
  }
}

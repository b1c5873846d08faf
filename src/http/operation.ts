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
  readonly idempotency: IdempotencyOptions
}

/** An operation of the API: checks the caller, parses the request, and runs the handler. */
export function operationEndpoint(route: Route, options: OperationOptions): Endpoint {
  const { method, path, operationId, isPublic = false, isUnmetered = false } = route
  const { echoesRequestId = false } = route
  return {
    method,
    path,
    name: operationId,
    admission: isUnmetered ? 'unmetered' : 'caller',
    room: roomOf(route),
    isPublic,
    isForPeople: false,
    echoesRequestId,
    handle: (exchange) => handle(route, options, exchange),
  }
}

function roomOf({ method, isUnmetered, room }: Route): Room {
  if (isUnmetered) {
    return 'none'
  }
  return room ?? (method === 'get' ? 'read' : 'write')
}

function handle(route: Route, options: OperationOptions, exchange: Exchange): Awaitable<Response> {
  const { caller, request, params } = exchange
  checkCaller(caller, route.callers)
  checkPermission(caller, permissionOf(route))
  const key = route.method === 'get' || route.streams ? null : idempotencyKeyOf(request.headers)
  return andThen(parseRequest(route, request, params), (parsed) => {
    const { bodyBytes } = parsed
    const idempotent = key
      ? idempotentRequest(options.idempotency, caller, request, { key, bodyBytes, error: exchange })
      : null
    return route.handle(inputOf(options, exchange, parsed, idempotent))
  })
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

import type { Store } from '../store/store.ts'
import { checkCaller, checkPermission } from './authentication.ts'
import type { Endpoint, Exchange } from './endpoint.ts'
import {
  type IdempotencyOptions,
  idempotencyKeyOf,
  idempotentRequest,
  respondOnce,
  transactAfter,
  transactOnce,
} from './idempotency.ts'
import type { Room } from './intake.ts'
import { parseRequest } from './parse.ts'
import type { Response } from './response.ts'
import { permissionOf, type Route } from './route.ts'

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

async function handle(
  route: Route,
  { store, idempotency }: OperationOptions,
  exchange: Exchange,
): Promise<Response> {
  const { caller, request } = exchange
  checkCaller(caller, route.callers)
  checkPermission(caller, permissionOf(route))
  const key = route.method === 'get' || route.streams ? null : idempotencyKeyOf(request.headers)
  const { params, query, body, bodyBytes } = await parseRequest(route, request, exchange.params)
  const idempotent = key
    ? idempotentRequest(idempotency, caller, request, { key, bodyBytes, error: exchange })
    : null
  const { now } = idempotency
  const transact = (work: (store: Store) => Promise<Response>) =>
    transactOnce(store, idempotent, now, work)
  return route.handle({
    ...exchange,
    params: params as never,
    query: query as never,
    body: body as never,
    bodyBytes,
    transact,
    transactAfter: (parts) => transactAfter(store, idempotent, now, parts),
    respondOnce: (work) => respondOnce(store, idempotent, now, work),
    idempotency: idempotent,
  })
}

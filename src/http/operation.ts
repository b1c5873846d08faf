import { type Caller, modeOfCaller } from '../domain/caller.ts'
import { isTestId } from '../domain/mode.ts'
import type { Permission } from '../domain/permission.ts'
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
import type { RequestQueue } from './intake.ts'
import type { StorageLimits, StorageRoom } from './limits.ts'
import { type Parsed, type RequestParser, requestParser } from './parse.ts'
import type { Response } from './response.ts'
import { type Input, permissionOf, type Route, takesKey } from './route.ts'

export interface OperationOptions {
  readonly store: Store
  readonly modes: Modes
  readonly idempotency: IdempotencyOptions
  readonly storage: StorageLimits
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
  const { echoesRequestId = false, isNeverLimited = false, rpcType } = route
  const operation = {
    ...options,
    route,
    permission: permissionOf(route),
    checkMode: options.modes.checkOf(route),
    parse: requestParser(route),
    takesKey: takesKey(route),
    withoutKey: carriersOf(options, null),
  }
  return {
    method,
    path,
    name: operationId,
    admission: isUnmetered ? 'unmetered' : isNeverLimited ? 'counted' : 'caller',
    queue: queueOf(route),
    writes: route.writes ?? method !== 'get',
    isPublic,
    isForPeople: false,
    echoesRequestId,
    rpcType,
    handle: (exchange) => handle(operation, exchange),
  }
}

function queueOf({ method, isUnmetered, queue }: Route): RequestQueue {
  if (isUnmetered) {
    return 'none'
  }
  return queue ?? (method === 'get' ? 'read' : 'change')
}

/** What is the same for every request of an operation, found once. */
interface Operation extends OperationOptions {
  readonly route: Route
  readonly permission: Permission | null
  readonly checkMode: ModeCheck | null
  readonly parse: RequestParser
  /** Whether an Idempotency-Key means anything. */
  readonly takesKey: boolean
  /** Carries out a request without an Idempotency-Key. */
  readonly withoutKey: Carriers
}

function handle(operation: Operation, exchange: Exchange): Awaitable<Response> {
  const { route, parse, takesKey } = operation
  const { caller, request, params } = exchange
  checkCaller(caller, route.callers)
  checkPermission(caller, operation.permission)
  const key = takesKey ? idempotencyKeyOf(request.headers) : null
  return andThen(parse(request, params), (parsed) => {
    operation.checkMode?.(caller, parsed.params)
    return andThen(key === null ? null : operation.storage.open(caller), (room) => {
      const input = inputOf(operation, exchange, parsed, key, room)
      return modeOfCaller(caller) === 'test' || namesTestData(parsed)
        ? handleTest(route, operation.modes, input)
        : route.handle(input)
    })
  })
}

/** Operators read data of both modes by its id, whatever their header says. */
function namesTestData({ params }: Pick<Parsed, 'params'>): boolean {
  const { id } = (params ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' && isTestId(id)
}

/** Public data of live mode is private in test mode: shared caches may not store it. */
async function handleTest(route: Route, { prepare }: Modes, input: Input): Promise<Response> {
  if (route.method !== 'get') {
    await prepare(input.caller)
  }
  const response = await route.handle(input)
  return { ...response, headers: { ...response.headers, 'cache-control': 'no-store' } }
}

/** Field by field: spreading these objects takes a tenth of the time of a cached read. */
function inputOf(
  operation: Operation,
  { caller, address, request, requestId, basePath }: Exchange,
  { params, query, body, json, bodyBytes }: Parsed,
  key: string | null,
  room: StorageRoom | null,
): Input {
  const { isNeverLimited = false } = operation.route
  const error = { requestId, basePath }
  const idempotency =
    key === null
      ? null
      : idempotentRequest(operation.idempotency, caller, request, {
          key,
          bodyBytes,
          json,
          error,
          room,
          isNeverLimited,
        })
  const { transact, transactAfter, respondOnce } =
    idempotency === null ? operation.withoutKey : carriersOf(operation, idempotency)
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
    transact,
    transactAfter,
    respondOnce,
  }
}

type Carriers = Pick<Input, 'transact' | 'transactAfter' | 'respondOnce'>

function carriersOf(
  { store, idempotency: { now } }: OperationOptions,
  idempotency: IdempotentRequest | null,
): Carriers {
  return {
    transact: (work) => transactOnce(store, idempotency, now, work),
    transactAfter: (parts) => transactAfter(store, idempotency, now, parts),
    respondOnce: (work) => respondOnce(store, idempotency, now, work),
  }
}

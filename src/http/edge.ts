import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../domain/caller.ts'
import { TrustError } from '../domain/error.ts'
import { type Awaitable, andThen } from '../lib/awaitable.ts'
import { type Admission, type AdmissionOptions, admit } from './admission.ts'
import { authenticated } from './authentication.ts'
import type { BodyBuffer } from './body-buffer.ts'
import type { Endpoint, Exchange } from './endpoint.ts'
import { fallbackFor } from './fallback.ts'
import { type Intake, queueKeyOf } from './intake.ts'
import { type RefusalOptions, refusalOf, refuse } from './refuse.ts'
import { pathOf, type Request, requestOf } from './request.ts'
import type { Response } from './response.ts'
import { createRouter, type Match } from './router.ts'
import { createStartQueue } from './start-queue.ts'
import { writeResponse } from './write-response.ts'

export interface EdgeOptions extends AdmissionOptions, RefusalOptions {
  readonly intake: Intake
  readonly buffer: BodyBuffer
  readonly newId: () => string
  /** Whether clients reach the service by https. */
  readonly isSecure: boolean
  /** Whether the service is shutting down: then every response ends its connection. */
  readonly isDraining: () => boolean
  /** Called for every response: the endpoint's name (`none` where there is none) and the time taken. */
  readonly onResponse: (endpoint: string, status: number, seconds: number) => void
  /** Called after `onResponse` with all details of the request; null if none are logged. */
  readonly onServed: ((served: Served) => void) | null
  /** Serves each request within a trace; null where nothing is traced. */
  readonly traced: ((request: TraceHeaders, serve: () => Promise<void>) => Promise<void>) | null
}

/** How a caller names its own trace. */
export interface TraceHeaders {
  readonly traceparent: string | null
  readonly traceState: string | null
}

/** A request that was served. */
export interface Served {
  readonly request: Request
  readonly requestId: string
  readonly endpoint: Pick<Endpoint, 'name' | 'path'>
  readonly params: Readonly<Record<string, string>>
  /** Null where the caller could not be looked up. */
  readonly admission: Pick<Admission, 'caller' | 'address'> | null
  readonly status: number
  readonly seconds: number
  /** The code of the refusal; null where there was none. */
  readonly refusal: TrustError | null
}

/** What the server calls for each request. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void

/** Serves the endpoints, and refuses paths and methods that none of them takes. */
export function createEdge(options: EdgeOptions, endpoints: readonly Endpoint[]): RequestHandler {
  const find = createRouter(endpoints)
  const starts = createStartQueue()

  /** A proxy may pass the path of the base URL on, or strip it. */
  function findTarget(method: string, path: string): Target {
    const { basePath } = options
    const match = find(method, path)
    const isBelow = path === basePath || path.startsWith(`${basePath}/`)
    if (match || basePath === '' || !isBelow) {
      return { path, match }
    }
    const inner = path.slice(basePath.length) || '/'
    return { path: inner, match: find(method, inner) }
  }

  return (req, res) => {
    const { method = '' } = req
    const { path, match } = findTarget(method, pathOf(req))
    const endpoint = match?.route ?? fallbackFor(method, path, match)
    const connection = { req, res, path, params: match?.params ?? NO_PARAMS }
    const start = () => serveNow(options, endpoint, connection)
    if (endpoint.admission === 'unmetered') {
      // Requests for the health of the service wait in no queue.
      start()
    } else {
      starts.add(start)
    }
  }
}

const NO_PARAMS = {}

/** Serves a request whose client is still there, and destroys its connection where that fails. */
function serveNow(options: EdgeOptions, endpoint: Endpoint, connection: Connection): void {
  const { req, res } = connection
  if (req.socket.destroyed) {
    return
  }
  const fail = (error: unknown) => {
    options.onFault(error, 'none')
    res.destroy()
  }
  try {
    const served =
      options.traced === null
        ? serve(options, endpoint, connection)
        : options.traced(traceHeadersOf(req), async () => serve(options, endpoint, connection))
    if (served instanceof Promise) {
      served.catch(fail)
    }
  } catch (error) {
    fail(error)
  }
}

function traceHeadersOf({ headers }: IncomingMessage): TraceHeaders {
  const { traceparent, tracestate } = headers
  return {
    traceparent: typeof traceparent === 'string' ? traceparent : null,
    traceState: typeof tracestate === 'string' ? tracestate : null,
  }
}

interface Target {
  readonly path: string
  readonly match: Match<Endpoint> | null
}

interface Connection {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly path: string
  readonly params: Readonly<Record<string, string>>
}

/** A request, and what is known of it so far. */
interface Serving {
  readonly request: Request
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  /** Null where the caller could not be looked up. */
  admission: Admission | null
  refusal: TrustError | null
}

/** Synchronous where nothing has to be waited for: a cached score is sent before the next request is read. */
function serve(
  options: EdgeOptions,
  endpoint: Endpoint,
  { req, res, path, params }: Connection,
): Awaitable<void> {
  const startedAt = performance.now()
  const sender = () => (serving.admission === null ? '' : queueKeyOf(serving.admission.caller))
  const request = requestOf(req, { res, path, buffer: options.buffer, sender })
  const own = endpoint.echoesRequestId ? request.headers.get('x-request-id') : null
  const requestId = own || options.newId()
  const serving: Serving = { request, requestId, params, admission: null, refusal: null }
  return andThen(responseTo(options, endpoint, serving), (response) => {
    if (res.headersSent) {
      // The server is closing, and has already answered what took too long.
      return
    }
    const { admission, refusal } = serving
    const written = writeResponse(req, res, response, {
      requestId,
      limit: admission === null ? null : admission.limit,
      isPublic: endpoint.isPublic,
      closes: options.isDraining(),
      isSecure: options.isSecure,
    })
    const seconds = (performance.now() - startedAt) / 1000
    const { statusCode: status } = res
    options.onResponse(endpoint.name, status, seconds)
    if (options.onServed !== null) {
      const seen = { request, requestId, endpoint, params, admission, refusal, status, seconds }
      options.onServed(seen)
    }
    return written
  })
}

/** The response to a request, also where it is refused or fails. */
function responseTo(
  options: EdgeOptions,
  endpoint: Endpoint,
  serving: Serving,
): Awaitable<Response> {
  try {
    const response = andThen(admit(options, endpoint.admission, serving.request), (admission) =>
      responseIfAdmitted(options, endpoint, serving, admission),
    )
    return response instanceof Promise
      ? response.catch((error) => refuseAfter(options, endpoint, serving, error))
      : response
  } catch (error) {
    return refuseAfter(options, endpoint, serving, error)
  }
}

function responseIfAdmitted(
  options: EdgeOptions,
  endpoint: Endpoint,
  serving: Serving,
  admission: Admission,
): Awaitable<Response> {
  const { request, requestId, params } = serving
  const { refusal, caller, address, limit } = admission
  serving.admission = admission
  serving.refusal = refusal
  if (refusal !== null) {
    return refuse(options, endpoint, request, { error: refusal, requestId, limit })
  }
  const exchange = { request, requestId, basePath: options.basePath, params, caller, address }
  const admittedAt = performance.now()
  return options.intake.serve(endpoint, caller, request, () =>
    performance.now() - admittedAt < CALLER_FRESH_MS
      ? endpoint.handle(exchange)
      : andThen(callerNow(options, exchange), (known) =>
          endpoint.handle({ ...exchange, caller: known }),
        ),
  )
}

/**
 * A request that waited longer for its body or for room is identified again: its key or its person may have lost access
 * meanwhile, and the response that its access ended is already sent. A look-up in memory costs a hundredth of an event.
 */
const CALLER_FRESH_MS = 10

/** @throws TrustError where the credential is not valid any more */
function callerNow(
  { authenticate }: EdgeOptions,
  { request, caller }: Pick<Exchange, 'request' | 'caller'>,
): Awaitable<Caller> {
  return andThen(authenticated(request.headers, authenticate), (found) => {
    if (found instanceof TrustError) {
      throw found
    }
    return found ?? caller
  })
}

function refuseAfter(
  options: EdgeOptions,
  endpoint: Endpoint,
  serving: Serving,
  error: unknown,
): Response {
  const { request, requestId, admission } = serving
  const refusal = refusalOf(options, error, requestId)
  serving.refusal = refusal
  const limit = admission === null ? null : admission.limit
  return refuse(options, endpoint, request, { error: refusal, requestId, limit })
}

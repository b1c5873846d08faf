import type { IncomingMessage, ServerResponse } from 'node:http'
import { diskFull, OVERLOADED, TrustError, unavailable } from '../domain/error.ts'
import { StoreBusy, StoreFull, StoreUnavailable } from '../store/store.ts'
import { type Admission, type AdmissionOptions, admit } from './admission.ts'
import type { BodyBuffer } from './body-buffer.ts'
import type { Endpoint } from './endpoint.ts'
import { errorResponse, internalError } from './errors.ts'
import { fallbackFor } from './fallback.ts'
import type { Intake } from './intake.ts'
import type { LimitDecision } from './limits.ts'
import { preferred } from './negotiate.ts'
import { pathOf, type Request, requestOf } from './request.ts'
import type { Response } from './response.ts'
import { createRouter, type Match } from './router.ts'
import { createTurns } from './turns.ts'
import { writeResponse } from './write-response.ts'

export interface EdgeOptions extends AdmissionOptions {
  readonly intake: Intake
  readonly buffer: BodyBuffer
  readonly newId: () => string
  /** The path of the base URL, without a slash at the end; empty at the root of a host. */
  readonly basePath: string
  /** The page that shows an error to a person. */
  readonly errorPage: (error: TrustError, response: Response, requestId: string) => Response
  /** Whether clients reach the service by https. */
  readonly isSecure: boolean
  /** Whether the service is shutting down: then every response ends its connection. */
  readonly isDraining: () => boolean
  /** Called for every response: the endpoint's name (`none` where there is none) and the time taken. */
  readonly onResponse: (endpoint: string, status: number, seconds: number) => void
  /** Called for every refusal of what is limited, before its response. */
  readonly onRefused: (error: TrustError) => void
  /** Called behind `onResponse` with all that is known of the request; null where nobody asks. */
  readonly onServed: ((served: Served) => void) | null
  /** Serves each request within a trace; null where nothing is traced. */
  readonly traced: ((request: TraceHeaders, serve: () => Promise<void>) => Promise<void>) | null
  /** Called for every fault of the service. */
  readonly onFault: (error: unknown, requestId: string) => void
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
  const turns = createTurns()

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
    const connection = { req, res, path, params: match?.params ?? {} }
    const work = () => serve(options, endpoint, connection)
    const start = () => {
      if (req.socket.destroyed) {
        return
      }
      const serving = options.traced === null ? work() : options.traced(traceHeadersOf(req), work)
      serving.catch((error) => {
        options.onFault(error, 'none')
        res.destroy()
      })
    }
    if (endpoint.admission === 'unmetered') {
      // Who asks for the health of the service stands in no queue.
      start()
    } else {
      turns.start(start)
    }
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

async function serve(
  options: EdgeOptions,
  endpoint: Endpoint,
  { req, res, path, params }: Connection,
): Promise<void> {
  const startedAt = performance.now()
  const { basePath } = options
  const request = requestOf(req, { res, path, buffer: options.buffer })
  const own = endpoint.echoesRequestId ? request.headers.get('x-request-id') : null
  const requestId = own || options.newId()
  let limit: LimitDecision | null = null
  let response: Response
  let isOverload = false
  let admitted: Admission | null = null
  let refused: TrustError | null = null
  try {
    // What needs no waiting does not wait: a cached score is sent before another request is looked at.
    const admitting = admit(options, endpoint.admission, request)
    const admission = admitting instanceof Promise ? await admitting : admitting
    const { refusal, caller, address } = admission
    admitted = admission
    refused = refusal
    limit = admission.limit
    if (refusal) {
      response = refuse(options, endpoint, request, { error: refusal, requestId, limit })
    } else {
      const exchange = { request, requestId, basePath, params, caller, address }
      const work = () => endpoint.handle(exchange)
      const serving = options.intake.serve(endpoint.room, caller, request, work)
      response = serving instanceof Promise ? await serving : serving
    }
  } catch (error) {
    const refusal = refusalOf(options, error, requestId)
    isOverload = refusal.details.reason === OVERLOADED
    refused = refusal
    response = refuse(options, endpoint, request, { error: refusal, requestId, limit })
  }
  if (res.headersSent) {
    // It took so long that the server, which ends, has answered it.
    return
  }
  const { isPublic } = endpoint
  const { isSecure } = options
  const closes = isOverload || options.isDraining()
  const written = writeResponse(req, res, response, {
    requestId,
    limit,
    isPublic,
    closes,
    isSecure,
  })
  const seconds = (performance.now() - startedAt) / 1000
  const { statusCode: status } = res
  options.onResponse(endpoint.name, status, seconds)
  if (options.onServed !== null) {
    const seen = { request, requestId, endpoint, params, status, seconds }
    options.onServed({ ...seen, admission: admitted, refusal: refused })
  }
  return written
}

interface Refused {
  readonly error: TrustError
  readonly requestId: string
  readonly limit: LimitDecision | null
}

function refuse(
  options: EdgeOptions,
  endpoint: Endpoint,
  request: Request,
  { error, requestId, limit }: Refused,
): Response {
  const { basePath } = options
  // Monitoring asks again and again, and says itself what it sees.
  if (endpoint.admission !== 'unmetered') {
    options.onRefused(error)
  }
  const response = errorResponse(error, { requestId, basePath }, limit)
  if (!endpoint.isForPeople) {
    return response
  }
  const form = preferred(request.headers.get('accept'), ['application/json', 'text/html'])
  return form === 'text/html' ? options.errorPage(error, response, requestId) : response
}

const DATABASE = { reason: 'database' }

/** The error that a client gets; a fault of the service shows no details. */
function refusalOf({ onFault }: EdgeOptions, error: unknown, requestId: string): TrustError {
  if (error instanceof TrustError) {
    return error
  }
  onFault(error, requestId)
  if (error instanceof StoreBusy) {
    return unavailable('the database is busy; nothing was written, retry', DATABASE)
  }
  if (error instanceof StoreFull) {
    return diskFull()
  }
  if (error instanceof StoreUnavailable) {
    return unavailable('the database cannot be reached; retry', DATABASE)
  }
  return internalError()
}

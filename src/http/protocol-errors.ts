import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { TrustError } from '../domain/error.ts'
import { type ErrorContext, errorResponse } from './errors.ts'
import { JSON_TYPE } from './response.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/** A message that is refused before it is a request: by Node's parser, or by the server itself. */
export interface ProtocolError {
  /** HTTP's own status where it says more than the status of the code: 408, 417, 431. */
  readonly status?: number
  readonly error: TrustError
}

export function malformed(message: string, status?: number): ProtocolError {
  const error = new TrustError('VALIDATION_ERROR', message)
  return status === undefined ? { error } : { error, status }
}

/** All methods that any path takes. */
const METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'

export function methodNotServed(method: string | undefined): ProtocolError {
  const allow = METHODS
  return { error: new TrustError('METHOD_NOT_ALLOWED', `${method} is not served`, { allow }) }
}

/** Responds in the envelope of every error, and closes: what follows cannot be trusted. */
export function refuse(res: ServerResponse, refused: ProtocolError, context: ErrorContext): void {
  const { status, headers, body } = responseOf(refused, context)
  res.writeHead(status, headers)
  res.end(body)
}

/** Refuses a request of which there is only the socket. */
export function refuseOnSocket(
  socket: Duplex,
  refused: ProtocolError,
  context: ErrorContext,
): void {
  const { status, headers, body } = responseOf(refused, context)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const phrase = STATUS_CODES[status] ?? ''
  socket.end([`HTTP/1.1 ${status} ${phrase}`, ...lines, '', body].join('\r\n'))
  // A connection closed while the client still sends would be reset, and the response lost.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Enough to read a response of half a kilobyte. */
const LINGER_MS = 1_000

function responseOf({ status, error }: ProtocolError, context: ErrorContext) {
  const response = errorResponse(error, context)
  const body = JSON.stringify(response.body)
  const headers = {
    ...response.headers,
    ...SECURITY_HEADERS,
    'x-request-id': context.requestId,
    'cache-control': 'no-store',
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  return { status: status ?? response.status, headers, body }
}

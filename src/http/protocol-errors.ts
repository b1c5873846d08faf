import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { TrustError } from '../domain/error.ts'
import { errorResponse } from './errors.ts'

/** A request refused before it is one: what Node's parser rejects, and what it should. */
export interface Refusal {
  /** Of HTTP's own, where that says more than the status of the code: 408, 417, 431. */
  readonly status?: number
  readonly error: TrustError
}

export function malformed(message: string, status?: number): Refusal {
  const error = new TrustError('VALIDATION_ERROR', message)
  return status === undefined ? { error } : { error, status }
}

/** Methods that some path takes; the rest no path does. */
const METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST'

export function methodNotServed(method: string | undefined): Refusal {
  const allow = METHODS
  const error = new TrustError('METHOD_NOT_ALLOWED', `${method} is not served`, { allow })
  return { error }
}

/** Answers in the envelope of every error, and hangs up: what follows cannot be trusted. */
export function refuse(res: ServerResponse, refusal: Refusal): void {
  const { status, headers, body } = responseOf(refusal)
  res.writeHead(status, headers)
  res.end(body)
}

/** The same where there is only a socket. */
export function refuseOnSocket(socket: Duplex, refusal: Refusal): void {
  const { status, headers, body } = responseOf(refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const phrase = STATUS_CODES[status] ?? ''
  socket.end([`HTTP/1.1 ${status} ${phrase}`, ...lines, '', body].join('\r\n'))
  // Hanging up at once would take the answer from whoever is still sending.
  setTimeout(() => socket.destroy(), READING_MS).unref()
}

/** Time enough to read an answer of half a kilobyte. */
const READING_MS = 1_000

export function responseOf({ status, error }: Refusal) {
  const requestId = crypto.randomUUID()
  const answer = errorResponse(error, requestId)
  const body = JSON.stringify(answer.body)
  const headers = {
    ...answer.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
  }
  return { status: status ?? answer.status, headers, body }
}

import { diskFull, TrustError } from '../domain/error.ts'
import type { Endpoint, Exchange } from './endpoint.ts'
import type { ErrorBody } from './errors.ts'
import type { HeadersIn, Request } from './request.ts'
import { JSON_TYPE, type Response } from './response.ts'
import { createRouter } from './router.ts'

/** A request that the service makes of itself while it serves another one. */
export interface InternalRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** With its question mark; empty when there is none. */
  readonly search: string
  readonly body?: unknown
}

/** The body of the response. @throws TrustError as the endpoint refuses */
export type InternalCall = (exchange: Exchange, request: InternalRequest) => Promise<unknown>

/**
 * Calls an operation for the caller of an exchange that was admitted: the same checks, permissions and
 * quotas apply as over HTTP. Only the request per minute is not counted again.
 */
export function createInternalCall(
  endpoints: readonly Endpoint[],
  isReadOnly: () => boolean,
): InternalCall {
  const find = createRouter(endpoints)
  return async (exchange, { method, path, search, body }) => {
    const match = find(method, path)
    if (!match?.route) {
      throw new Error(`no operation takes ${method} ${path}`)
    }
    if (match.route.writes && isReadOnly()) {
      throw diskFull()
    }
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const request: Request = {
      ...exchange.request,
      method,
      path,
      search,
      headers: headersOf(bytes.byteLength),
      readBody: async () => bytes,
      body: inOnePiece(bytes),
    }
    return bodyOf(await match.route.handle({ ...exchange, request, params: match.params }))
  }
}

/** No header of the outer request: its key was checked, and a signature would be of another body. */
function headersOf(length: number): HeadersIn {
  const headers = new Map<string, string>()
  if (length > 0) {
    headers.set('content-type', JSON_TYPE).set('content-length', String(length))
  }
  return {
    get: (name) => headers.get(name) ?? null,
    has: (name) => headers.has(name),
    [Symbol.iterator]: () => headers[Symbol.iterator](),
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function bodyOf(response: Response): unknown {
  const { content } = response
  const body = content ? JSON.parse(textOf(content.data)) : response.body
  if (response.status >= 400) {
    const { code, message, details } = (body as ErrorBody).error
    throw new TrustError(code, message, details)
  }
  return body
}

function textOf(data: string | Uint8Array | ReadableStream): string {
  if (data instanceof ReadableStream) {
    throw new Error('a stream is not called internally')
  }
  return typeof data === 'string' ? data : Buffer.from(data).toString()
}

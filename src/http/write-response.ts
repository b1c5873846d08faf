import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { Awaitable } from '../lib/awaitable.ts'
import { type LimitDecision, limitHeaders } from './limits.ts'
import { type Content, JSON_TYPE, type Response, type ResponseHeaders } from './response.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/** What every response contains besides its own headers. */
export interface ResponseContext {
  readonly requestId: string
  readonly limit: LimitDecision | null
  /** Whether any web page may read the response (CORS). */
  readonly isPublic: boolean
  /** Whether the connection ends with the response. */
  readonly closes: boolean
  /** Whether clients reach the service by https. */
  readonly isSecure: boolean
}

/** Writes a response; for a streamed one, resolves once it was sent completely. */
export function writeResponse(
  req: IncomingMessage,
  res: ServerResponse,
  response: Response,
  context: ResponseContext,
): Awaitable<void> {
  const { headers = NO_HEADERS } = response
  const closes = context.closes || !isBodyRead(req)
  const lines = headerLines(headers, context)
  if (closes) {
    lines.push('connection', 'close')
  }
  if (response.status === 200 && matches(req.headers['if-none-match'], headers.etag)) {
    return end(req, res, { status: 304, lines })
  }
  const content = contentOf(response)
  if (content === null) {
    return end(req, res, { status: response.status, lines })
  }
  lines.push('content-type', content.type)
  if (content.encoding !== undefined) {
    lines.push('content-encoding', content.encoding)
  }
  return send(req, res, { status: response.status, lines, data: content.data })
}

const NO_HEADERS: ResponseHeaders = {}

/** Alternating names and values, which Node's server takes in one call. */
type HeaderLines = string[]

/** The headers that a web page may read besides those that it always may. */
const EXPOSED = 'etag, ratelimit, ratelimit-policy, retry-after, x-request-id'

function headerLines(
  own: ResponseHeaders,
  { requestId, limit, isPublic, isSecure }: ResponseContext,
): HeaderLines {
  const lines = ['x-request-id', requestId]
  if (limit !== null) {
    lines.push(...limitHeaders(limit))
  }
  if (isPublic) {
    lines.push('access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED)
  }
  if (isSecure) {
    lines.push('strict-transport-security', STRICT_TRANSPORT)
  }
  for (const name in DEFAULTS) {
    if (own[name] === undefined) {
      lines.push(name, DEFAULTS[name] ?? '')
    }
  }
  for (const name in own) {
    lines.push(name, own[name] ?? '')
  }
  return lines
}

/** A year, as OWASP asks. Without `includeSubDomains`: other hosts of the domain may not use TLS. */
const STRICT_TRANSPORT = 'max-age=31536000'

/**
 * For headers that a response does not set itself. Nothing is stored by default: a cache may keep a
 * response that says nothing about it, and knows of no rule for X-API-Key as it does for Authorization.
 */
const DEFAULTS: ResponseHeaders = { ...SECURITY_HEADERS, 'cache-control': 'no-store' }

function contentOf(response: Response): Content | null {
  if (response.content) {
    return response.content
  }
  return response.body === undefined
    ? null
    : { type: JSON_TYPE, data: JSON.stringify(response.body) }
}

/** Whether the client has this version: `*`, or one of its tags, weak or not. */
function matches(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) {
    return false
  }
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}

interface Head {
  readonly status: number
  readonly lines: HeaderLines
}

/** A response without a body. */
function end(req: IncomingMessage, res: ServerResponse, { status, lines }: Head): void {
  // 204 and 304 have no length; others without one would be sent as an empty chunked body.
  if (status !== 204 && status !== 304) {
    lines.push('content-length', '0')
  }
  writeHead(req, res, { status, lines })
  res.end()
}

function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, lines, data }: Head & { readonly data: Content['data'] },
): Awaitable<void> {
  if (data instanceof ReadableStream) {
    writeHead(req, res, { status, lines })
    return sendStream(req, res, data)
  }
  lines.push('content-length', String(Buffer.byteLength(data)))
  writeHead(req, res, { status, lines })
  res.end(data)
  if (res.writableLength > 0) {
    giveUpUnread(req)
  }
}

function writeHead(req: IncomingMessage, res: ServerResponse, { status, lines }: Head): void {
  res.writeHead(status, lines)
  // Where the body of the request is not read yet, the connection closes after the response.
  if (!isBodyRead(req)) {
    lingerBeforeClose(req, res)
  }
}

function isBodyRead(req: IncomingMessage): boolean {
  return req.complete || !hasBody(req)
}

async function sendStream(req: IncomingMessage, res: ServerResponse, body: ReadableStream) {
  if (req.method === 'HEAD') {
    res.end()
    return body.cancel()
  }
  giveUpUnread(req)
  try {
    // Reading from the stream itself, a client that disconnects would be noticed with the next part.
    await pipeline(Readable.fromWeb(body as WebStream), res)
  } catch (error) {
    // A client that disconnects ends the stream early; that is no fault of the service.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      throw error
    }
  }
}

/** A response of which a client takes nothing for so long is given up, and its connection closed. */
const UNREAD_MAX_MS = 30_000

function giveUpUnread({ socket }: IncomingMessage): void {
  socket.setTimeout(UNREAD_MAX_MS)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers
}

/** How long the rest of a request is read after the response. */
const LINGER_MS = 500

/** A connection closed while the client still sends would be reset, and the response lost. */
function lingerBeforeClose(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req
  req.resume()
  res.on('finish', () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket.once('close', () => clearTimeout(timer))
  })
}

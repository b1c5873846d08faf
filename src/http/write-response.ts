import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import type { Awaitable } from '../lib/awaitable.ts'
import { type LimitDecision, limitHeaders } from './limits.ts'
import {
  type Content,
  CutShort,
  JSON_TYPE,
  type Response,
  type ResponseHeaders,
} from './response.ts'
import {
  type CommonHeaders,
  commonLines,
  endAfterHead,
  type HeaderLines,
  writeHeadText,
} from './response-head.ts'

/** What every response contains besides its own headers. */
export interface ResponseContext extends CommonHeaders {
  readonly requestId: string
  readonly limit: LimitDecision | null
  /** Whether the connection ends with the response. */
  readonly closes: boolean
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
  const isKnown = response.status === 200 && matches(req.headers['if-none-match'], headers.etag)
  const content = isKnown ? null : contentOf(response)
  if (content !== null && !closes && sendText(req, res, response, { content, context })) {
    return
  }
  const lines = headerLines(headers, context)
  if (closes) {
    lines.push('connection', 'close')
  }
  if (content === null) {
    return end(req, res, { status: isKnown ? 304 : response.status, lines })
  }
  lines.push('content-type', content.type)
  if (content.encoding !== undefined) {
    lines.push('content-encoding', content.encoding)
  }
  return send(req, res, { status: response.status, lines, data: content.data })
}

const NO_HEADERS: ResponseHeaders = {}

interface ToSend {
  readonly content: Content
  readonly context: ResponseContext
}

/** The usual response, in one piece on a connection that stays open; false for any other. */
function sendText(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers = NO_HEADERS }: Response,
  { content: { type, encoding, data }, context }: ToSend,
): boolean {
  if (data instanceof ReadableStream) {
    return false
  }
  // Field by field: spreading the context took a third of the time of a cached read.
  const head = {
    status,
    own: headers,
    requestId: context.requestId,
    limit: context.limit,
    isPublic: context.isPublic,
    isSecure: context.isSecure,
    type,
    encoding,
    length: Buffer.byteLength(data),
  }
  if (!writeHeadText(req, res, head)) {
    return false
  }
  endAfterHead(res, data, head.length)
  giveUpIfUnread(req, res)
  return true
}

function headerLines(own: ResponseHeaders, context: ResponseContext): HeaderLines {
  const { requestId, limit } = context
  const lines = ['x-request-id', requestId]
  if (limit !== null) {
    lines.push(...limitHeaders(limit))
  }
  lines.push(...commonLines(own, context))
  for (const name in own) {
    lines.push(name, own[name] ?? '')
  }
  return lines
}

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
  giveUpIfUnread(req, res)
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
    // A loop over the stream would notice a client that disconnects only with the next part.
    await pipeline(Readable.fromWeb(body as WebStream), res)
  } catch (error) {
    // A client that disconnects ends the stream early; that is no fault of the service.
    const isGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
    if (!isGone && !(error instanceof CutShort)) {
      throw error
    }
  }
}

/** A response of which a client takes nothing for so long is given up, and its connection closed. */
const UNREAD_MAX_MS = 30_000

function giveUpUnread({ socket }: IncomingMessage): void {
  socket.setTimeout(UNREAD_MAX_MS)
}

/** For a response that was ended; nearly all of them have left this process by then. */
function giveUpIfUnread(req: IncomingMessage, res: ServerResponse): void {
  if (res.writableLength > 0) {
    giveUpUnread(req)
  }
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

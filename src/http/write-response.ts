import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { HeadersIn } from './request.ts'
import type { Response } from './response.ts'

/** Names and values in turn, as Node's server takes them at once. */
export type HeaderLines = readonly string[]

/** An answer as it goes out. */
export interface WritableResponse {
  readonly status: number
  readonly headers: string[]
  readonly body: string | ReadableStream | null
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** The answer in bytes, or in none where the asker has them already. `headers` get its own besides. */
export function outgoingOf(
  { status, body, headers: own = {} }: Response,
  headers: string[],
  asked: HeadersIn,
): WritableResponse {
  for (const name in own) {
    headers.push(name, own[name] ?? '')
  }
  if (body === undefined) {
    return { status, headers, body: null }
  }
  if (own.etag && status === 200 && matches(asked.get('if-none-match'), own.etag)) {
    return { status: 304, headers, body: null }
  }
  if (typeof body === 'string' || body instanceof ReadableStream) {
    return { status, headers, body }
  }
  if (!own['content-type']) {
    headers.push('content-type', JSON_TYPE)
  }
  return { status, headers, body: JSON.stringify(body) }
}

/** Whether the asker has this version already: `*`, or one of the tags, weak or not. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) {
    return false
  }
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}

/** Sends the answer; of one that is sent as it is made, resolves when all of it was. */
export async function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, body }: WritableResponse,
): Promise<void> {
  if (typeof body === 'string') {
    headers.push('content-length', String(Buffer.byteLength(body)))
  }
  const isHeard = req.complete || !hasBody(req)
  if (!isHeard) {
    headers.push('connection', 'close')
  }
  res.writeHead(status, headers)
  if (!isHeard) {
    hearOut(req, res)
  }
  if (body === null || typeof body === 'string') {
    res.end(body)
  } else {
    await stream(req, res, body)
  }
}

async function stream(req: IncomingMessage, res: ServerResponse, body: ReadableStream) {
  if (req.method === 'HEAD') {
    res.end()
    return body.cancel()
  }
  try {
    await pipeline(body, res)
  } catch (error) {
    // Whoever hangs up has had enough of it.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      throw error
    }
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers
}

/** How long whoever is still sending is listened to after the answer. */
const HEAR_OUT_MS = 500

/** Hanging up at once would take the answer from whoever is still sending. */
function hearOut(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req
  req.resume()
  res.on('finish', () => {
    const timer = setTimeout(() => socket.destroy(), HEAR_OUT_MS).unref()
    socket.once('close', () => clearTimeout(timer))
  })
}

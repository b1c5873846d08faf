import type { IncomingMessage, ServerResponse } from 'node:http'
import { invalidField, overloaded, TrustError } from '../domain/error.ts'
import { once } from '../lib/once.ts'
import type { BodyBuffer } from './body-buffer.ts'

/** Bodies are small; a larger one is a mistake or an attack. */
const BODY_BYTES_MAX = 256 * 1024

/** A request as the edge reads it: a thin view of Node's own. */
export interface Request {
  readonly method: string
  /** Still percent-encoded; without the path of the base URL. */
  readonly path: string
  /** With its question mark; empty when there is none. */
  readonly search: string
  readonly headers: HeadersIn
  /** The address at the other end of the connection. */
  readonly peer: string
  /** Whether the client has disconnected. */
  readonly isGone: () => boolean
  /** The bytes of the body, bounded. It is read once; later calls return the same bytes. */
  readonly readBody: () => Promise<Uint8Array>
  /** The body as it comes, of any size, for an operation that takes it as a stream. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface HeadersIn extends Iterable<readonly [name: string, value: string]> {
  /** By its name in lower case; repeated headers are joined by commas. */
  get(name: string): string | null
  has(name: string): boolean
}

/** The media type of the body, in lower case and without parameters; empty where none is given. */
export function mediaTypeOf(headers: HeadersIn): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  return type.trim().toLowerCase()
}

/** The fields of a form that a page has sent. */
export async function readForm({ readBody }: Request): Promise<URLSearchParams> {
  return new URLSearchParams(Buffer.from(await readBody()).toString())
}

export interface RequestOptions {
  readonly res: ServerResponse
  readonly path: string
  readonly buffer: BodyBuffer
  /** The account that the request counts for; known before its body is read. */
  readonly sender: () => string
}

export function requestOf(req: IncomingMessage, options: RequestOptions): Request {
  const { method = 'GET', url = '/' } = req
  return {
    method,
    path: options.path,
    search: searchOf(url),
    headers: new NodeHeaders(req),
    peer: req.socket.remoteAddress ?? '0.0.0.0',
    isGone: () => req.socket.destroyed,
    readBody: once(() => readBody(req, options)),
    body: req,
  }
}

/** The target up to its question mark. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

function searchOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark)
}

/** A class: every request has one, and an object of closures takes a microsecond more to make. */
class NodeHeaders implements HeadersIn {
  readonly #req: IncomingMessage

  constructor(req: IncomingMessage) {
    this.#req = req
  }

  get(name: string): string | null {
    const value = this.#req.headers[name]
    return value === undefined ? null : String(value)
  }

  has(name: string): boolean {
    return this.#req.headers[name] !== undefined
  }

  *[Symbol.iterator](): Iterator<readonly [string, string]> {
    for (const name of Object.keys(this.#req.headers)) {
      yield [name, this.get(name) ?? '']
    }
  }
}

function readBody(
  req: IncomingMessage,
  { res, buffer, sender }: RequestOptions,
): Promise<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX) {
    return Promise.reject(tooLarge())
  }
  if (req.destroyed) {
    // Its events have passed, so nothing would end the body.
    return Promise.reject(brokenOff())
  }
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] | null = []
    let size = 0
    // What follows is not kept, so it takes no memory from the bodies of others.
    const drop = (error: TrustError) => {
      chunks = null
      reject(error)
    }
    const buffered = buffer.begin(sender(), () => drop(crowdedOut()))
    res.once('close', () => {
      chunks = null
      buffered.free()
    })
    req.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size > BODY_BYTES_MAX) {
        buffered.free()
        return void drop(tooLarge())
      }
      if (chunks !== null) {
        chunks.push(chunk)
        buffered.add(chunk.byteLength)
      }
    })
    req.on('end', () => {
      buffered.complete()
      const [first = NOTHING, ...others] = chunks ?? []
      resolve(others.length === 0 ? first : Buffer.concat([first, ...others]))
    })
    const brokeOff = () => {
      // Both events also occur after the end, when creating an error would be wasted time.
      if (!req.complete) {
        reject(brokenOff())
      }
    }
    req.on('error', brokeOff)
    req.on('close', brokeOff)
  })
}

const NOTHING = new Uint8Array()

function brokenOff(): TrustError {
  return invalidField('body', 'ended before it was complete', 'incomplete')
}

function crowdedOut(): TrustError {
  return overloaded('more bodies are being sent than fit in memory; retry')
}

function tooLarge(): TrustError {
  return new TrustError('PAYLOAD_TOO_LARGE', `a body may have at most ${BODY_BYTES_MAX} bytes`, {
    maxBytes: BODY_BYTES_MAX,
  })
}

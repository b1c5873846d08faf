import type { IncomingMessage } from 'node:http'
import { invalidField, TrustError } from '../domain/error.ts'

/** Bodies are small; one that is not is a mistake or an attack. */
export const BODY_BYTES_MAX = 256 * 1024

/** A request as the edge reads it: Node's own, without the web's objects around it. */
export interface Request {
  readonly method: string
  /** As it came; still percent-encoded. */
  readonly path: string
  /** With its question mark; empty where there is none. */
  readonly search: string
  readonly headers: HeadersIn
  /** The address at the other end of the connection. */
  readonly peer: string
  /** Whether whoever asked has hung up meanwhile. */
  readonly isGone: () => boolean
  /** The bytes of the body, bounded. To be read once. */
  readonly readBody: () => Promise<Uint8Array>
}

export interface HeadersIn extends Iterable<readonly [name: string, value: string]> {
  /** By its name in lower case; several of one name are joined by commas. */
  get(name: string): string | null
  has(name: string): boolean
}

export function requestOf(req: IncomingMessage, path = pathOf(req)): Request {
  const { method = 'GET', url = '/' } = req
  return {
    method,
    path,
    search: url.slice(path.length),
    headers: new NodeHeaders(req),
    peer: req.socket.remoteAddress ?? '0.0.0.0',
    isGone: () => req.socket.destroyed,
    readBody: () => readBody(req),
  }
}

/** The target up to its question mark. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

/** A class, because every request has its own, and an object of closures costs a microsecond more. */
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

function readBody(req: IncomingMessage): Promise<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX) {
    return Promise.reject(tooLarge())
  }
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = []
    let size = 0
    req.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size <= BODY_BYTES_MAX) {
        return void chunks.push(chunk)
      }
      chunks = []
      reject(tooLarge())
    })
    req.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
    )
    const brokeOff = () => {
      // Said after the end as well; an error that nobody hears of would cost its stack.
      if (!req.complete) {
        reject(invalidField('body', 'broke off before its end', 'incomplete'))
      }
    }
    req.on('error', brokeOff)
    req.on('close', brokeOff)
  })
}

function tooLarge(): TrustError {
  return new TrustError('PAYLOAD_TOO_LARGE', `a body may have at most ${BODY_BYTES_MAX} bytes`, {
    maxBytes: BODY_BYTES_MAX,
  })
}

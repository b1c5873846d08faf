import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FetchResponse } from '@standing/sdk'
import type { Terminal } from '../command.ts'
import { isProxied } from './proxy.ts'

export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text, or pieces of it that are sent as they are read. */
  readonly body?: string | Readable
  readonly signal?: AbortSignal
}

export interface HttpResponse extends FetchResponse {
  /** In pieces, as they come. Read either this or the text. */
  readonly body: AsyncIterable<Uint8Array>
}

export type HttpFetch = (url: string, request?: HttpRequest) => Promise<HttpResponse>

/** How commands make requests: through the proxy that the environment names, if it names one. */
export function fetchOf({ env }: Pick<Terminal, 'env'>): HttpFetch {
  let proxied: Promise<HttpFetch> | undefined
  return async (url, request = {}) => {
    if (!isProxied(env, url)) {
      return direct(url, request)
    }
    proxied ??= import('./proxied-fetch.ts').then(({ proxiedFetch }) => proxiedFetch(env))
    return (await proxied)(url, request)
  }
}

/**
 * By `node:http`: to load Node's own `fetch` takes longer than all else that a command does. Follows no
 * redirect, as `redirect: 'manual'` says. Connections are kept alive, and do not keep the process alive.
 */
async function direct(url: string, request: HttpRequest): Promise<HttpResponse> {
  const module = url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const { method = 'GET', body, signal } = request
  // Node itself names the length for some methods only, and DELETE is not one of them.
  const length = typeof body === 'string' ? { 'content-length': `${Buffer.byteLength(body)}` } : {}
  const headers = { ...request.headers, ...length }
  const options = { method, headers, ...(signal ? { signal } : {}) }
  return new Promise((resolve, reject) => {
    const outgoing: ClientRequest = module.request(url, options, (incoming) => {
      resolve(responseOf(incoming))
    })
    outgoing.on('error', (error) => reject(isWithoutTls(error) ? new Error(WITHOUT_TLS) : error))
    if (body === undefined || typeof body === 'string') {
      outgoing.end(body)
      return
    }
    body.on('error', (error) => outgoing.destroy(error)).pipe(outgoing)
  })
}

const WITHOUT_TLS =
  'the server there does not use TLS: its address probably begins with http:// instead of https://'

/** OpenSSL could not read what a server answered as TLS, as where that speaks HTTP alone. */
function isWithoutTls({ message }: Error): boolean {
  return /wrong version number|packet length too long/i.test(message)
}

function responseOf(incoming: IncomingMessage): HttpResponse {
  const { statusCode: status = 0, headers } = incoming
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    body: incoming,
    text: () => textOf(incoming),
  }
}

/** Rejects where the connection ends before the body does. */
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const piece of textPiecesOf(body)) {
    text += piece
  }
  return text
}

/** A body of UTF-8 as text, as it arrives. Rejects where the connection ends before the body does. */
export async function* textPiecesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    yield decoder.decode(bytes, { stream: true })
  }
  yield decoder.decode()
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import {
  malformed,
  methodNotServed,
  type Refusal,
  refuse,
  refuseOnSocket,
  responseOf,
} from './protocol-errors.ts'

/** Tighter than Node's own: nobody honest needs a minute to send 256 KiB. */
export const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
} as const

/** Headers of 16 KiB are Node's default bound; said here because the interface promises it. */
const HEADER_BYTES_MAX = 16 * 1024

/** Browsers behind several proxies send some forty. Node would drop those over 2,000 unsaid. */
const HEADERS_MAX = 200

/** Each holds a descriptor and a few buffers; the system's own bound may be far above what we bear. */
const CONNECTIONS_MAX = 10_000

const HEADERS = {
  maxHeaderSize: HEADER_BYTES_MAX,
  // A header said twice is both, so that nobody in front of us can have read the other one.
  joinDuplicateHeaders: true,
  // A missing Host is refused below, in our own words.
  requireHostHeader: false,
} as const

export interface HttpServer {
  /** The port it listens on. */
  readonly port: number
  /** Takes no more connections; resolves once every accepted request was answered or cut off. */
  close(): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** Connections beyond so many are closed unheard. */
  readonly connectionsMax?: number
  /** How long whoever is still being answered is waited for at the end. */
  readonly drainMaxMs?: number
}

/** Who answers: the operations first, and for what is none of theirs the pages. */
export interface Site {
  /** False where the request is none of its own. */
  answer(req: IncomingMessage, res: ServerResponse): boolean
  readonly fetch: Parameters<typeof getRequestListener>[0]
}

/** Serves on the address given; fails when it cannot be had. */
export async function serve(site: Site, options: ListenOptions): Promise<HttpServer> {
  const listener = getRequestListener(site.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (error) => unreadable(error),
  })
  const server = createServer({ ...TIMEOUTS, ...HEADERS }, (req, res) => {
    const problem = problemOf(req)
    if (problem !== null) {
      refuse(res, problem)
    } else if (!site.answer(req, res)) {
      void listener(req, res)
    }
  })
  server.maxHeadersCount = HEADERS_MAX + 1
  server.maxConnections = options.connectionsMax ?? CONNECTIONS_MAX
  server.on('clientError', onClientError)
  server.on('connect', (req, socket) => refuseOnSocket(socket, methodNotServed(req.method)))
  server.on('checkExpectation', (_req, res) =>
    refuse(res, malformed('Expect may only be 100-continue', 417)),
  )
  await listen(server, options)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  return { port, close: () => drain(server, options.drainMaxMs ?? DRAIN_MAX_MS) }
}

/** A name or an address, with or without a port. Two Hosts are joined by a comma, and so are none. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/** What Node lets through and we do not: two hosts, a whole address as target, TRACE. */
function problemOf(req: IncomingMessage): Refusal | null {
  const { rawHeaders, url, method } = req
  if (rawHeaders.length > HEADERS_MAX * 2) {
    return malformed(`there are more than ${HEADERS_MAX} headers`, 431)
  }
  if (!HOST.test(req.headers.host ?? '')) {
    return malformed('there must be one Host header, with a name or an address in it')
  }
  if (!url?.startsWith('/')) {
    return malformed('the target must be a path')
  }
  if (method === 'TRACE') {
    return methodNotServed(method)
  }
  if (req.httpVersion === '1.0' && req.headers['transfer-encoding']) {
    return malformed('HTTP/1.0 knows no Transfer-Encoding')
  }
  return null
}

/** A target that makes no address. */
function unreadable(error: unknown): Response {
  const reason = error instanceof Error ? error.message : 'it cannot be read'
  const { status, headers, body } = responseOf(malformed(`the request is not valid: ${reason}`))
  return new Response(body, { status, headers })
}

/** What Node's parser says of bytes that are no request, in our words. */
const PARSER_WORDS: Readonly<Record<string, readonly [message: string, status?: number]>> = {
  HPE_HEADER_OVERFLOW: [`the headers are larger than ${HEADER_BYTES_MAX} bytes`, 431],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['the chunk extensions are too large', 413],
  ERR_HTTP_REQUEST_TIMEOUT: ['the request did not arrive in time', 408],
}

function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // An answer that is under way must not get another one into its middle.
  const { _httpMessage: answering } = socket as { _httpMessage?: { headersSent: boolean } }
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy()
    return
  }
  const [message, status] = PARSER_WORDS[error.code ?? ''] ?? ['the request is not valid HTTP/1.1']
  refuseOnSocket(socket, malformed(message, status))
}

function listen(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** How often connections that have come to rest are closed while we drain. */
const DRAIN_MS = 50

/**
 * The database's statements end within five seconds. What takes longer is a client that does not read
 * its answer; and Docker kills ten seconds after it asked.
 */
const DRAIN_MAX_MS = 8_000

function drain(server: Server, maxMs: number): Promise<void> {
  return new Promise((resolve) => {
    // A connection whose answer is just on its way is not idle yet; later it would keep us waiting
    // for as long as it may be kept alive.
    const sweep = setInterval(() => server.closeIdleConnections(), DRAIN_MS)
    const end = setTimeout(() => server.closeAllConnections(), maxMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(end)
      resolve()
    })
    server.closeIdleConnections()
  })
}

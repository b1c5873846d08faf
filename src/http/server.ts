import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type TrustError, unavailable } from '../domain/error.ts'
import { createConnections } from './connections.ts'
import { type CloseOptions, drain } from './drain.ts'
import type { RequestHandler } from './edge.ts'
import type { ErrorContext } from './errors.ts'
import {
  malformed,
  methodNotServed,
  type ProtocolError,
  refuse,
  refuseOnSocket,
} from './protocol-errors.ts'
import { KEEP_ALIVE_MS } from './response-head.ts'

/** Shorter than Node's defaults: no honest client needs a minute to send 256 KiB. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 5_000,
} as const

/** Node's default, stated here because the interface documents it. */
const HEADER_BYTES_MAX = 16 * 1024

/** Browsers behind several proxies send some forty. Node would drop those over 2,000 silently. */
const HEADERS_MAX = 200

/** Each takes a descriptor and a few buffers; the system's own limit may be far higher. */
const CONNECTIONS_MAX = 10_000

/** More than any client needs, and few enough that no client can take all. */
const CONNECTIONS_PER_ADDRESS_MAX = 2_000

/** Connections that are being closed may still be among those that Node counts. */
const CLOSING_MAX = 1_000

const HEADERS = {
  maxHeaderSize: HEADER_BYTES_MAX,
  // A repeated header is joined, so that a proxy in front cannot have read another value.
  joinDuplicateHeaders: true,
  // A missing Host is refused below, in the envelope of every error.
  requireHostHeader: false,
} as const

/**
 * A statement of the database ends within six seconds; only a client that does not read its response
 * takes longer. Docker kills a container ten seconds after SIGTERM, of which three are grace.
 */
const DRAIN_MAX_MS = 5_000

export interface HttpServer {
  /** The port it listens on. */
  readonly port: number
  /** How many connections are open. */
  connections(): number
  /**
   * Serves for the grace period, then takes no more connections; resolves once every accepted request
   * was answered: those that take too long, with the advice to ask again.
   */
  close(options?: CloseOptions): Promise<void>
}

/** What the server refuses requests with, before the handler gets them. */
export interface RefusalOptions {
  readonly newId: () => string
  /** The path of the base URL. */
  readonly basePath: string
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** Beyond this number, addresses with many connections lose some to those with few. */
  readonly connectionsMax?: number
  /** Beyond this number, an address that is not a proxy's loses some of its own. */
  readonly connectionsPerAddressMax?: number
  readonly isProxy?: (address: string) => boolean
  /** How long the last responses may take when the server closes. */
  readonly drainMaxMs?: number
}

/** Serves on the given address; fails when it is not available. */
export async function serve(
  handle: RequestHandler,
  { newId, basePath }: RefusalOptions,
  options: ListenOptions,
): Promise<HttpServer> {
  const context = () => ({ requestId: newId(), basePath })
  const connectionsMax = options.connectionsMax ?? CONNECTIONS_MAX
  const connections = createConnections({
    max: connectionsMax,
    perAddressMax: options.connectionsPerAddressMax ?? CONNECTIONS_PER_ADDRESS_MAX,
    isProxy: options.isProxy ?? (() => false),
  })
  const { inTurn } = connections
  const server = createServer(
    { ...TIMEOUTS, ...HEADERS },
    inTurn((req, res) => {
      const problem = problemOf(req)
      if (problem === null) {
        handle(req, res)
      } else {
        refuse(res, problem, context())
      }
    }),
  )
  server.maxHeadersCount = HEADERS_MAX + 1
  server.maxConnections = connectionsMax + CLOSING_MAX
  server.on('connection', connections.open)
  server.on('clientError', (error, socket) => onClientError(error, socket, context))
  server.on('connect', (req, socket) =>
    refuseOnSocket(socket, methodNotServed(req.method), context()),
  )
  server.on(
    'checkExpectation',
    inTurn((_req, res) =>
      refuse(res, malformed('Expect may only be 100-continue', 417), context()),
    ),
  )
  await listen(server, options)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  const { drainMaxMs = DRAIN_MAX_MS } = options
  const giveUp = (res: ServerResponse) => refuse(res, { error: gaveUp() }, context())
  return {
    port,
    connections: connections.size,
    close: (closing) => drain(server, connections, { ...closing, drainMaxMs, giveUp }),
  }
}

/** It is not known whether the request was carried out, as when the outcome of a commit is lost. */
function gaveUp(): TrustError {
  return unavailable(
    'the service is shutting down and the outcome is unknown; repeat with the same Idempotency-Key',
    { reason: 'shutting_down' },
  )
}

/** A name or an address, with or without a port. Two Host headers are joined by a comma, which fails. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/** What Node accepts and this server does not: two hosts, an absolute target, TRACE. */
function problemOf(req: IncomingMessage): ProtocolError | null {
  const { rawHeaders, url, method } = req
  if (rawHeaders.length > HEADERS_MAX * 2) {
    return malformed(`there are more than ${HEADERS_MAX} headers`, 431)
  }
  if (!HOST.test(req.headers.host ?? '') && !needsNoHost(req)) {
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

/** HTTP/1.0 has no Host (RFC 9112, 3.2). Load balancers, such as HAProxy, check the health of a node by it. */
function needsNoHost({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers.host === undefined
}

/** The errors of Node's parser that have a status of their own. */
const PARSER_ERRORS: Readonly<Record<string, readonly [message: string, status?: number]>> = {
  HPE_HEADER_OVERFLOW: [`the headers are larger than ${HEADER_BYTES_MAX} bytes`, 431],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['the chunk extensions are too large', 413],
  ERR_HTTP_REQUEST_TIMEOUT: ['the request did not arrive in time', 408],
}

function onClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  context: () => ErrorContext,
): void {
  // No other response may be written into one that is being sent.
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse }
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy()
    return
  }
  if (response?.req.complete) {
    closeAfter(response, socket)
    return
  }
  const [message, status] = PARSER_ERRORS[error.code ?? ''] ?? ['the request is not valid HTTP/1.1']
  refuseOnSocket(socket, malformed(message, status), context())
}

/** Responses that end their connection, because what came after their requests cannot be read. */
const lastResponses = new WeakSet<ServerResponse>()

/** What cannot be read is not the request that is being served: that one gets its own response. */
function closeAfter(response: ServerResponse, socket: Duplex): void {
  if (!lastResponses.has(response)) {
    lastResponses.add(response)
    response.once('finish', () => (socket as Socket).destroySoon())
  }
}

/**
 * Connections that wait to be accepted. Beyond Node's 511 the system drops attempts when a thousand
 * clients connect at once, and each of them tries again only after a second.
 */
const BACKLOG = 4_096

function listen(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'

/** Tighter than Node's own: nobody honest needs a minute to send 256 KiB (reliability, section 4). */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
} as const

/** Headers of 16 KiB are Node's default bound; said here because the interface promises it. */
const HEADER_BYTES_MAX = 16 * 1024

export interface HttpServer {
  /** The port it listens on. */
  readonly port: number
  /** Takes no more connections; resolves once every accepted request was answered. */
  close(): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
}

type Fetch = Parameters<typeof getRequestListener>[0]

/** Serves on the address given; fails when it cannot be had. */
export async function serve(fetch: Fetch, options: ListenOptions): Promise<HttpServer> {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false })
  const server = createServer({ ...TIMEOUTS, maxHeaderSize: HEADER_BYTES_MAX }, (req, res) => {
    const problem = problemOf(req)
    if (problem === null) void listener(req, res)
    else refuse(res, problem)
  })
  await listen(server, options)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : options.port
  return { port, close: () => drain(server) }
}

/** What Node lets through and we do not: two hosts, a whole address as target, TRACE. */
function problemOf(req: IncomingMessage): string | null {
  const hosts = req.rawHeaders.filter((name, i) => i % 2 === 0 && /^host$/i.test(name))
  if (hosts.length > 1) return 'there is more than one Host header'
  if (!req.url?.startsWith('/') && req.url !== '*') return 'the target must be a path'
  if (req.method === 'TRACE' || req.method === 'CONNECT') return `${req.method} is not served`
  if (req.httpVersion === '1.0' && req.headers['transfer-encoding'])
    return 'HTTP/1.0 knows no Transfer-Encoding'
  return null
}

function refuse(res: ServerResponse, message: string): void {
  const details = { requestId: crypto.randomUUID() }
  const body = JSON.stringify({ error: { code: 'VALIDATION_ERROR', message, details } })
  res.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': details.requestId,
    connection: 'close',
  })
  res.end(body)
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

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A connection whose answer is just on its way is not idle yet; later it would keep us waiting
    // for as long as it may be kept alive.
    const sweep = setInterval(() => server.closeIdleConnections(), DRAIN_MS)
    server.close(() => {
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}

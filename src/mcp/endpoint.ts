import { forbidden, problemsOf, TrustError } from '../domain/error.ts'
import type { Endpoint, Exchange } from '../http/endpoint.ts'
import { STATUS } from '../http/errors.ts'
import type { InternalCall } from '../http/internal-call.ts'
import { parseJson } from '../http/json.ts'
import { acceptsAll } from '../http/negotiate.ts'
import type { Request as HttpRequest } from '../http/request.ts'
import { type Response as HttpResponse, noContent } from '../http/response.ts'
import { localContext } from './local-context.ts'
import { isOriginAllowed } from './origin.ts'
import type { McpOptions } from './server.ts'

export interface McpEndpointOptions extends Pick<McpOptions, 'version' | 'onFault'> {
  readonly baseUrl: () => string
  readonly call: InternalCall
}

const MCP_PATH = '/mcp'

/**
 * The Model Context Protocol by Streamable HTTP, revisions 2026-07-28 and 2025-11-25. It keeps no
 * session: each request is served by itself, as its own caller, on any node.
 */
export function mcpEndpoint(options: McpEndpointOptions): Endpoint {
  return {
    method: 'post',
    path: MCP_PATH,
    name: 'mcp',
    admission: 'caller',
    queue: 'write',
    // The operation that a tool calls says whether it writes.
    writes: false,
    isPublic: false,
    isForPeople: false,
    handle: (exchange) => handle(options, exchange),
  }
}

async function handle(options: McpEndpointOptions, exchange: Exchange): Promise<HttpResponse> {
  const { request } = exchange
  if (!isOriginAllowed(request.headers.get('origin'), options.baseUrl())) {
    throw forbidden(
      'pages of this origin may not call /mcp; STANDING_BASE_URL names the one that may',
    )
  }
  const bytes = await request.readBody()
  let message: unknown
  try {
    message = parseJson(request.headers, bytes)
  } catch (error) {
    if (error instanceof TrustError) {
      return refused(STATUS[error.code], PARSE_ERROR, problemsOf(error))
    }
    throw error
  }
  if (Array.isArray(message)) {
    // A batch would count as one request, and neither revision has batches.
    return refused(400, INVALID_REQUEST, 'send one message, not a list of them')
  }
  return fromWeb(await serve(options, exchange, message))
}

/** The codes of JSON-RPC for what cannot be read, and for what is not a request. */
const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600

function refused(status: number, code: number, message: string): HttpResponse {
  return { status, body: { jsonrpc: '2.0', id: null, error: { code, message } } }
}

async function serve(
  { version, baseUrl, call, onFault }: McpEndpointOptions,
  exchange: Exchange,
  message: unknown,
): Promise<Response> {
  // Loaded by the first request: a service without such clients starts faster.
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  const websiteUrl = `${baseUrl()}/docs`
  const context = localContext(exchange, call)
  const handler = createMcpHandler(
    () => createMcpServer({ version, websiteUrl, context, onFault }),
    // Tools never change while the process runs, so there is nothing to subscribe to.
    { maxSubscriptions: 0, keepAliveMs: 0 },
  )
  const { headers } = exchange.request
  const url = new URL(MCP_PATH, baseUrl())
  const request = new Request(url, { method: 'POST', headers: protocolHeaders(headers) })
  return handler.fetch(request, { parsedBody: message })
}

/** The headers that the protocol reads; keys stay here. */
function protocolHeaders(headers: HttpRequest['headers']): Headers {
  const own = [...headers].filter(
    ([name]) => name === 'accept' || name === 'content-type' || name.startsWith('mcp-'),
  )
  const result = new Headers(own.map(([name, value]) => [name, value]))
  // The library looks for the names alone, and every HTTP library sends a range by default.
  if (acceptsAll(headers.get('accept'), RESPONSE_TYPES)) {
    result.set('accept', RESPONSE_TYPES.join(', '))
  }
  return result
}

/** A client has to take both (Streamable HTTP, sending messages). */
const RESPONSE_TYPES = ['application/json', 'text/event-stream'] as const

/** The whole response at once: no answer of a tool takes long, and none is followed by another. */
async function fromWeb(response: Response): Promise<HttpResponse> {
  const { status } = response
  const text = await response.text()
  if (text === '') {
    return { ...noContent(), status }
  }
  const type = response.headers.get('content-type') ?? 'application/json'
  return { status, content: { type, data: text } }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Requests that a client may send ahead of their responses, as many as benchmarks that pipeline do.
 * One read of the socket (64 KiB) may hold two thousand, each of which takes some kilobytes.
 */
export const PIPELINED_MAX = 16

/** The requests of one connection: one is served at a time, and the others wait. */
export interface RequestTurns {
  /** What is being served; null where nothing is. */
  current: { readonly req: IncomingMessage; readonly res: ServerResponse } | null
  /** Requests that arrived meanwhile. Each of these hands one to Node, which has no response for it before. */
  readonly waiting: (() => void)[]
}

/**
 * Lets Node's parser hand over one request at a time, and stop where too many are ahead. `onRequest` is called
 * when a request arrives.
 */
export function takeTurns(turns: RequestTurns, socket: Socket, onRequest: () => void): void {
  const { parser } = socket as Socket & { readonly parser?: { onIncoming?: OnIncoming } | null }
  const onIncoming = parser?.onIncoming
  if (!parser || !onIncoming) {
    return
  }
  const { waiting } = turns
  parser.onIncoming = (req, shouldKeepAlive) => {
    onRequest()
    // The parser gives the rest of a CONNECT request to nothing but its own handler.
    if (turns.current === null || req.method === 'CONNECT') {
      return onIncoming(req, shouldKeepAlive)
    }
    if (waiting.length >= PIPELINED_MAX) {
      socket.destroy()
      return STOP
    }
    // Or the parser would take it for one that changes the protocol. This server has no other.
    Object.assign(req, { upgrade: false })
    waiting.push(() => onIncoming(req, shouldKeepAlive))
    return GO_ON
  }
}

/** Hands over the request that came next. */
export function startNext({ waiting }: RequestTurns, socket: Socket): void {
  if (!socket.writable) {
    // The client has disconnected, or the last response closes the connection: the rest is not read.
    waiting.length = 0
    return
  }
  waiting.shift()?.()
}

/** What Node's parser calls for each request, and how it uses the result. */
type OnIncoming = (req: IncomingMessage, shouldKeepAlive: boolean) => number

/** The result for an ordinary request. */
const GO_ON = 0

/**
 * The result after which the parser reads nothing more, as for an upgraded connection. Otherwise Node would
 * make a request of everything in the chunk that it has read, which takes up to a tenth of a second.
 */
const STOP = 2

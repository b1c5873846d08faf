import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void

/**
 * Requests that a client may send ahead of their responses, as many as benchmarks that pipeline do.
 * One read of the socket (64 KiB) may hold two thousand, each of which takes some kilobytes.
 */
export const PIPELINED_MAX = 16

export interface Pipelines {
  /** To be called for each new connection. */
  open(socket: Socket): void
  /** A listener that serves one request of a connection at a time. */
  inTurn(serve: RequestListener): RequestListener
}

interface Waiting {
  readonly serve: RequestListener
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

interface Connection {
  isServing: boolean
  readonly waiting: Waiting[]
}

/**
 * The next request of a connection starts when the response to the one before has left this process,
 * so a client that does not read has at most one response made for it. Meanwhile the connection is
 * not read, and one that sends too far ahead is closed.
 */
export function createPipelines(): Pipelines {
  const connections = new WeakMap<Socket, Connection>()

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) {
      return known
    }
    const connection = { isServing: false, waiting: [] }
    connections.set(socket, connection)
    return connection
  }

  function start(connection: Connection, { serve, req, res }: Waiting): void {
    connection.isServing = true
    res.on('close', () => end(connection, req.socket))
    serve(req, res)
  }

  function end(connection: Connection, socket: Socket): void {
    if (connection.waiting.length === 0) {
      connection.isServing = false
      return
    }
    // Other connections have their turn before the next request of this one.
    setImmediate(() => startNext(connection, socket))
  }

  function startNext(connection: Connection, socket: Socket): void {
    const next = connection.waiting.shift()
    if (next === undefined || socket.destroyed || next.res.socket === null) {
      // The client has hung up, or was told that the connection ends: nobody waits for the rest.
      connection.waiting.length = 0
      return
    }
    if (connection.waiting.length === 0) {
      socket.resume()
    }
    start(connection, next)
  }

  return {
    open(socket) {
      const connection = connectionOf(socket)
      stopParsing(socket, () => connection.waiting.length >= PIPELINED_MAX)
    },
    inTurn: (serve) => (req, res) => {
      const connection = connectionOf(req.socket)
      if (!connection.isServing) {
        return start(connection, { serve, req, res })
      }
      connection.waiting.push({ serve, req, res })
      req.socket.pause()
    },
  }
}

/** What Node's parser calls for each request, and what it makes of the answer. */
type OnIncoming = (req: IncomingMessage, shouldKeepAlive: boolean) => number

/** The answer after which the parser reads nothing more, as for a connection that is handed over. */
const STOP = 2

/**
 * Closes a connection that has sent too far ahead. Without this Node would go on and make a request of
 * everything in the chunk that it has read, which takes up to a tenth of a second.
 */
function stopParsing(socket: Socket, isEnough: () => boolean): void {
  const { parser } = socket as Socket & { readonly parser?: { onIncoming?: OnIncoming } | null }
  const onIncoming = parser?.onIncoming
  if (!parser || !onIncoming) {
    return
  }
  parser.onIncoming = (req, shouldKeepAlive) => {
    if (!isEnough()) {
      return onIncoming(req, shouldKeepAlive)
    }
    socket.destroy()
    return STOP
  }
}

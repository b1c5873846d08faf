import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void

/**
 * Requests that a client may send ahead of their responses, as many as benchmarks that pipeline do.
 * One read of the socket (64 KiB) may hold two thousand, each of which takes some kilobytes.
 */
export const PIPELINED_MAX = 16

/** The open connections of a server. */
export interface Connections {
  /** To be called for each new connection. */
  open(socket: Socket): void
  /** A listener that serves one request of a connection at a time. */
  inTurn(serve: RequestListener): RequestListener
  /** Serves no request until the returned function is called; then all that arrived meanwhile. */
  hold(): () => void
  /** Closes the connections on which nothing was received or sent for so long. */
  closeIdle(idleMs: number): void
  /** When the last request and the last connection arrived, by `performance.now`. */
  lastRequestAt(): number
  lastOpenedAt(): number
  size(): number
  /** The responses to requests that have arrived as a whole, where none of it was sent yet. */
  unanswered(): readonly ServerResponse[]
}

interface Waiting {
  readonly serve: RequestListener
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

interface Connection {
  /** What is being served; null where nothing is. */
  current: Pick<Waiting, 'req' | 'res'> | null
  /** Since when it has been idle, and what it had received by then. */
  idleSince: number
  idleBytesRead: number
  readonly waiting: Waiting[]
}

/**
 * The next request of a connection starts when the response to the one before has left this process,
 * so a client that does not read has at most one response made for it. Meanwhile the connection is
 * not read, and one that sends too far ahead is closed.
 */
export interface ConnectionsOptions {
  /** Connections of one address beyond this number are closed at once. */
  readonly perAddressMax: number
  /** Whether an address is a proxy's, which has as many as it likes. */
  readonly isProxy: (address: string) => boolean
}

export function createConnections({ perAddressMax, isProxy }: ConnectionsOptions): Connections {
  const connections = new Map<Socket, Connection>()
  const perAddress = new Map<string, number>()
  let held: (() => void)[] | null = null
  let lastRequestAt = Number.NEGATIVE_INFINITY
  let lastOpenedAt = Number.NEGATIVE_INFINITY

  /** Counts a connection until it closes; false where its address has too many. */
  function count(socket: Socket): boolean {
    const { remoteAddress: address } = socket
    if (address === undefined || isProxy(address)) {
      return true
    }
    const before = perAddress.get(address) ?? 0
    if (before >= perAddressMax) {
      return false
    }
    perAddress.set(address, before + 1)
    socket.once('close', () => {
      const left = (perAddress.get(address) ?? 1) - 1
      if (left === 0) {
        perAddress.delete(address)
      } else {
        perAddress.set(address, left)
      }
    })
    return true
  }

  function start(connection: Connection, { serve, req, res }: Waiting): void {
    connection.current = { req, res }
    res.on('close', () => end(connection, req.socket))
    if (held === null) {
      serve(req, res)
    } else {
      held.push(() => serve(req, res))
    }
  }

  function end(connection: Connection, socket: Socket): void {
    if (connection.waiting.length === 0) {
      connection.current = null
      connection.idleSince = performance.now()
      connection.idleBytesRead = socket.bytesRead
      return
    }
    // Other connections have their turn before the next request of this one.
    setImmediate(() => startNext(connection, socket))
  }

  function startNext(connection: Connection, socket: Socket): void {
    const next = connection.waiting.shift()
    if (next === undefined || socket.destroyed || next.res.socket === null) {
      // The client has disconnected, or the last response closes the connection: the rest is not read.
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
      if (!count(socket)) {
        return void socket.destroy()
      }
      lastOpenedAt = performance.now()
      const connection = {
        current: null,
        idleSince: lastOpenedAt,
        idleBytesRead: 0,
        waiting: [],
      }
      connections.set(socket, connection)
      socket.once('close', () => connections.delete(socket))
      stopParsing(socket, () => connection.waiting.length >= PIPELINED_MAX)
    },
    inTurn: (serve) => (req, res) => {
      const connection = connections.get(req.socket)
      if (connection === undefined) {
        return void req.socket.destroy()
      }
      if (connection.current === null) {
        lastRequestAt = performance.now()
        return start(connection, { serve, req, res })
      }
      connection.waiting.push({ serve, req, res })
      req.socket.pause()
    },
    hold() {
      held = []
      return () => {
        const requests = held ?? []
        held = null
        for (const serve of requests) {
          serve()
        }
      }
    },
    closeIdle(idleMs) {
      const now = performance.now()
      for (const [socket, { current, idleSince, idleBytesRead }] of connections) {
        // Bytes after the last request are the beginning of the next one.
        const isReceiving = socket.bytesRead !== idleBytesRead
        if (current === null && !isReceiving && now - idleSince >= idleMs) {
          socket.destroySoon()
        }
      }
    },
    lastRequestAt: () => lastRequestAt,
    lastOpenedAt: () => lastOpenedAt,
    size: () => connections.size,
    unanswered: () =>
      [...connections.values()].flatMap(({ current }) =>
        current?.req.complete && !current.res.headersSent ? [current.res] : [],
      ),
  }
}

/** What Node's parser calls for each request, and how it uses the result. */
type OnIncoming = (req: IncomingMessage, shouldKeepAlive: boolean) => number

/** The result after which the parser reads nothing more, as for an upgraded connection. */
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

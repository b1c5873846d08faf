import type { IncomingMessage, ServerResponse } from 'node:http'
import { BlockList, type Socket } from 'node:net'
import { addressOf } from './address.ts'

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

interface Connection {
  /** The address that it counts for; null for a proxy's, which stands for many. */
  readonly address: string | null
  /** Stops counting it. To be called once it is closed, or is about to be. */
  readonly uncount: () => void
  /** What is being served; null where nothing is. */
  current: { readonly req: IncomingMessage; readonly res: ServerResponse } | null
  /** Since when it has been idle, and what it had received by then. */
  idleSince: number
  idleBytesRead: number
  /** Requests that arrived meanwhile. Each of these hands one to Node, which has no response for it before. */
  readonly waiting: (() => void)[]
}

export interface ConnectionsOptions {
  /** Above this number, each new connection closes some of the address that has the most. */
  readonly max: number
  /** Connections of one address beyond this number are closed at once. */
  readonly perAddressMax: number
  /** Whether an address is a proxy's: it may have any number of connections. */
  readonly isProxy: (address: string) => boolean
}

/** If there are too many connections, those that are idle for this long are closed. */
const RESTING_MS = 1_000

/** The shortest time between two searches for idle connections, each of which takes a millisecond or two. */
const SWEEP_MS = 100

/**
 * An address gives way to another one if it has more connections by this share of all. As many are closed at a
 * time, because finding them takes longer than serving a request.
 */
const SURPLUS = 0.01

const NO_PROXIES = new BlockList()

/**
 * The next request of a connection starts when the response to the one before has left this process,
 * so a client that does not read has at most one response made for it. One that sends too far ahead is
 * disconnected.
 */
export function createConnections(options: ConnectionsOptions): Connections {
  const { max, perAddressMax, isProxy } = options
  const connections = new Map<Socket, Connection>()
  const perAddress = new Map<string, number>()
  let held: (() => void)[] | null = null
  let lastRequestAt = Number.NEGATIVE_INFINITY
  let lastOpenedAt = Number.NEGATIVE_INFINITY
  let restedAt = Number.NEGATIVE_INFINITY

  /** The address that a connection counts for: an IPv6 client has a whole network of addresses. */
  function addressIn({ remoteAddress }: Socket): string | null {
    return remoteAddress === undefined || isProxy(remoteAddress)
      ? null
      : addressOf(remoteAddress, null, NO_PROXIES)
  }

  const countOf = (address: string | null) => (address && perAddress.get(address)) || 0

  function add(address: string | null, by: 1 | -1): void {
    const count = countOf(address) + by
    if (address !== null && count > 0) {
      perAddress.set(address, count)
    } else if (address !== null) {
      perAddress.delete(address)
    }
  }

  function closeIdle(idleMs: number): void {
    const now = performance.now()
    for (const [socket, { current, idleSince, idleBytesRead }] of connections) {
      // Bytes after the last request are the beginning of the next one.
      const isReceiving = socket.bytesRead !== idleBytesRead
      if (current === null && !isReceiving && now - idleSince >= idleMs) {
        socket.destroySoon()
      }
    }
  }

  /** Makes room for one more of this address; false where no other address has many more. */
  function makeRoom(address: string | null): boolean {
    const now = performance.now()
    if (now - restedAt > SWEEP_MS) {
      restedAt = now
      closeIdle(RESTING_MS)
    }
    let most: string | null = null
    for (const [other, count] of perAddress) {
      most = count > countOf(most) ? other : most
    }
    const surplus = max * SURPLUS
    return (
      most !== null &&
      countOf(most) > countOf(address) + surplus &&
      closeUnasked(most, Math.ceil(surplus))
    )
  }

  /** Closes the oldest connections of an address that have no complete request; false if all have. */
  function closeUnasked(address: string, count: number): boolean {
    let left = count
    for (const [socket, connection] of connections) {
      if (left <= 0) {
        break
      }
      if (connection.address === address && connection.current === null) {
        connection.uncount()
        socket.destroy()
        left--
      }
    }
    return left < count
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

  function startNext({ waiting }: Connection, socket: Socket): void {
    if (!socket.writable) {
      // The client has disconnected, or the last response closes the connection: the rest is not read.
      waiting.length = 0
      return
    }
    waiting.shift()?.()
  }

  /** Lets Node's parser hand over one request at a time, and stop where too many are ahead. */
  function takeTurns(connection: Connection, socket: Socket): void {
    const { parser } = socket as Socket & { readonly parser?: { onIncoming?: OnIncoming } | null }
    const onIncoming = parser?.onIncoming
    if (!parser || !onIncoming) {
      return
    }
    const { waiting } = connection
    parser.onIncoming = (req, shouldKeepAlive) => {
      lastRequestAt = performance.now()
      // The parser gives the rest of a CONNECT request to nothing but its own handler.
      if (connection.current === null || req.method === 'CONNECT') {
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

  return {
    open(socket) {
      const address = addressIn(socket)
      const isTooMany = countOf(address) >= perAddressMax
      if (isTooMany || (connections.size >= max && !makeRoom(address))) {
        return void socket.destroy()
      }
      lastOpenedAt = performance.now()
      const connection: Connection = {
        address,
        uncount: () => connections.delete(socket) && add(address, -1),
        current: null,
        idleSince: lastOpenedAt,
        idleBytesRead: 0,
        waiting: [],
      }
      add(address, 1)
      connections.set(socket, connection)
      socket.once('close', connection.uncount)
      takeTurns(connection, socket)
    },
    inTurn: (serve) => (req, res) => {
      const connection = connections.get(req.socket)
      if (connection === undefined) {
        return void req.socket.destroy()
      }
      connection.current = { req, res }
      res.on('close', () => end(connection, req.socket))
      if (held === null) {
        serve(req, res)
      } else {
        held.push(() => serve(req, res))
      }
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
    closeIdle,
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

/** The result for an ordinary request. */
const GO_ON = 0

/**
 * The result after which the parser reads nothing more, as for an upgraded connection. Otherwise Node would
 * make a request of everything in the chunk that it has read, which takes up to a tenth of a second.
 */
const STOP = 2

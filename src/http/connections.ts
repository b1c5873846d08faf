import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createCounts } from '../lib/counts.ts'
import { countedAddress } from './address.ts'
import { type RequestTurns, startNext, takeTurns } from './pipelining.ts'

export type RequestListener = (req: IncomingMessage, res: ServerResponse) => void

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

interface Connection extends RequestTurns {
  /** The address that it counts for; null for a proxy's, which stands for many. */
  readonly address: string | null
  /** Stops counting it. To be called once it is closed, or is about to be. */
  readonly uncount: () => void
  /** Since when it has been idle, and what it had received by then. */
  idleSince: number
  idleBytesRead: number
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

/**
 * The next request of a connection starts when the response to the one before has left this process,
 * so a client that does not read has at most one response made for it. One that sends too far ahead is
 * disconnected.
 */
export function createConnections(options: ConnectionsOptions): Connections {
  const { max, perAddressMax, isProxy } = options
  const connections = new Map<Socket, Connection>()
  /** By address, without the connections of proxies. */
  const counts = createCounts()
  let held: (() => void)[] | null = null
  let lastRequestAt = Number.NEGATIVE_INFINITY
  let lastOpenedAt = Number.NEGATIVE_INFINITY
  let restedAt = Number.NEGATIVE_INFINITY

  const countOf = (address: string | null) => (address === null ? 0 : counts.of(address))

  function add(address: string | null, by: 1 | -1): void {
    if (address !== null) {
      counts.add(address, by)
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
    const most = counts.most()
    const surplus = max * SURPLUS
    return (
      most !== null &&
      counts.of(most) > countOf(address) + surplus &&
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

  return {
    open(socket) {
      const address = countedAddress(socket, isProxy)
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
      takeTurns(connection, socket, () => {
        lastRequestAt = performance.now()
      })
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

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Counts, createCounts } from '../lib/counts.ts'
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

/** The connections that are open, the oldest first. */
type OpenConnections = ReadonlyMap<Socket, Connection>

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
  const makeRoom = createRoom(connections, counts, max)
  const hold = createHold()
  let lastRequestAt = Number.NEGATIVE_INFINITY
  let lastOpenedAt = Number.NEGATIVE_INFINITY

  return {
    open(socket) {
      const address = countedAddress(socket, isProxy)
      const isTooMany = countOf(counts, address) >= perAddressMax
      if (isTooMany || (connections.size >= max && !makeRoom(address))) {
        return void socket.destroy()
      }
      lastOpenedAt = performance.now()
      const connection: Connection = {
        address,
        uncount() {
          if (connections.delete(socket) && address !== null) {
            counts.add(address, -1)
          }
        },
        current: null,
        idleSince: lastOpenedAt,
        idleBytesRead: 0,
        waiting: [],
      }
      if (address !== null) {
        counts.add(address, 1)
      }
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
      res.on('close', () => endRequest(connection, req.socket))
      if (hold.isOn()) {
        hold.add(() => serve(req, res))
      } else {
        serve(req, res)
      }
    },
    hold: hold.begin,
    closeIdle: (idleMs) => closeIdle(connections, idleMs),
    lastRequestAt: () => lastRequestAt,
    lastOpenedAt: () => lastOpenedAt,
    size: () => connections.size,
    unanswered: () =>
      [...connections.values()].flatMap(({ current }) =>
        current?.req.complete && !current.res.headersSent ? [current.res] : [],
      ),
  }
}

function countOf(counts: Counts, address: string | null): number {
  return address === null ? 0 : counts.of(address)
}

/** Makes room for one more connection of an address; false where no other address has many more. */
function createRoom(
  connections: OpenConnections,
  counts: Counts,
  max: number,
): (address: string | null) => boolean {
  let sweptAt = Number.NEGATIVE_INFINITY
  return (address) => {
    const now = performance.now()
    if (now - sweptAt > SWEEP_MS) {
      sweptAt = now
      closeIdle(connections, RESTING_MS)
    }
    const most = counts.most()
    const surplus = max * SURPLUS
    return (
      most !== null &&
      counts.of(most) > countOf(counts, address) + surplus &&
      closeUnasked(connections, most, Math.ceil(surplus))
    )
  }
}

function closeIdle(connections: OpenConnections, idleMs: number): void {
  const now = performance.now()
  for (const [socket, { current, idleSince, idleBytesRead }] of connections) {
    // Bytes after the last request are the beginning of the next one.
    const isReceiving = socket.bytesRead !== idleBytesRead
    if (current === null && !isReceiving && now - idleSince >= idleMs) {
      socket.destroySoon()
    }
  }
}

/** Closes the oldest connections of an address that have no complete request; false if all have. */
function closeUnasked(connections: OpenConnections, address: string, count: number): boolean {
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

/** To be called when the response to the current request has left this process. */
function endRequest(connection: Connection, socket: Socket): void {
  if (connection.waiting.length === 0) {
    connection.current = null
    connection.idleSince = performance.now()
    connection.idleBytesRead = socket.bytesRead
    return
  }
  // Other connections have their turn before the next request of this one.
  setImmediate(() => startNext(connection, socket))
}

/** Requests that wait until they may be served. */
interface Hold {
  isOn(): boolean
  add(serve: () => void): void
  /** Holds requests back until the returned function is called, which serves them. */
  begin(): () => void
}

function createHold(): Hold {
  let held: (() => void)[] | null = null
  return {
    isOn: () => held !== null,
    add: (serve) => void held?.push(serve),
    begin() {
      held = []
      return () => {
        const requests = held ?? []
        held = null
        for (const serve of requests) {
          serve()
        }
      }
    },
  }
}

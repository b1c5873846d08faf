import type { Socket } from 'node:net'
import pg from 'pg'
import { PreparedQuery } from './prepared-query.ts'

/** How to reach the database: a connection string, or the parts of one. */
export type Connection =
  | { readonly url: string }
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly database: string
      readonly password?: string | undefined
    }

/**
 * Twelve connections: one for each batch of events and a few for reads. Measured on two cores: more of
 * them only moved the waiting into the database.
 */
const CONNECTIONS_MAX = 12

/** Lists and logs: as many as keep a core of the database busy. Other lists wait behind them; reports do not. */
export const LIST_CONNECTIONS_MAX = 4

/** All connections of a node: these, one that listens for changes, and one for the health check. */
export const CONNECTIONS_PER_NODE = CONNECTIONS_MAX + LIST_CONNECTIONS_MAX + 2

/** How long a node waits for its database, in milliseconds. */
export interface DatabaseLimits {
  /** For a connection: until one of the pool is free, or a new one is made. */
  readonly connectMs: number
  /**
   * For an answer, by this side's clock: what only the server watches never ends on a connection that lost its
   * other end, as when a balancer or a frozen machine keeps it open. A connection that times out is closed.
   */
  readonly answerMs: number
  /** For a statement, by the server's clock. */
  readonly statementMs: number
  /** How long a statement waits for a lock. */
  readonly lockMs: number
  /**
   * A transaction waits for this process only while it computes. If the process is gone, this is how long its
   * locks stay.
   */
  readonly idleMs: number
}

/** Requests fail soon and clearly instead of queueing behind a database that is stuck. */
export const LIMITS: DatabaseLimits = {
  connectMs: 3_000,
  answerMs: 5_500,
  statementMs: 5_000,
  lockMs: 2_000,
  idleMs: 4_000,
}

/** The server is given its own when a connection is made. A pooler takes none of them. */
function limitsOf(limits: DatabaseLimits, isPooled: boolean): pg.PoolConfig {
  const own = { connectionTimeoutMillis: limits.connectMs, query_timeout: limits.answerMs }
  return isPooled
    ? own
    : {
        ...own,
        statement_timeout: limits.statementMs,
        lock_timeout: limits.lockMs,
        idle_in_transaction_session_timeout: limits.idleMs,
      }
}

/** A connection that a burst of requests opened is closed soon after it; steady load keeps its own. */
const IDLE_MAX_MS = 30_000

type AnyQuery = (...args: unknown[]) => unknown

/** A client that prepares each statement that has a name once. */
class NamedClient extends pg.Client {
  // The overloads of `query` cannot be repeated here, and the pool calls it with any of them.
  override query = ((first: unknown, ...rest: unknown[]) => {
    const query = super.query as AnyQuery
    if (!isNamed(first)) {
      return query.call(this, first, ...rest)
    }
    const { name, text, values = [] } = first
    const send = (callback: (error: Error | null, result: pg.QueryResult) => void) =>
      void query.call(this, new PreparedQuery(name, text, values, callback))
    const callback = rest.find((one) => typeof one === 'function')
    if (callback) {
      return send(callback as Parameters<typeof send>[0])
    }
    return new Promise((resolve, reject) =>
      send((error, result) => (error ? reject(error) : resolve(result))),
    ).catch((error: Error) => {
      // As `pg` does: the stack leads to the caller instead of the socket.
      Error.captureStackTrace(error)
      throw error
    })
  }) as pg.Client['query']
}

/** A client that prepares nothing under a name: the next transaction may meet another server process. */
class UnnamedClient extends pg.Client {
  override query = ((first: unknown, ...rest: unknown[]) => {
    const given = isNamed(first) ? { ...first, name: undefined } : first
    return (super.query as AnyQuery).call(this, given, ...rest)
  }) as pg.Client['query']
}

interface Named {
  readonly name: string
  readonly text: string
  readonly values?: readonly unknown[]
}

function isNamed(query: unknown): query is Named {
  return typeof query === 'object' && query !== null && 'name' in query
}

/** 64-bit integers here are times and counts, below 2^53. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) {
      return Number
    }
    return pg.types.getTypeParser(oid, format)
  },
}

export interface PoolOptions {
  readonly max?: number
  /**
   * Whether a pooler may run each transaction of one connection on another one of the server: then nothing
   * is prepared under a name, and the server's own time limits are those of the role.
   */
  readonly isPooled?: boolean
  readonly onError?: (error: Error) => void
  /** Checks each new connection before it is used. One that fails is closed. */
  readonly verify?: (client: pg.PoolClient) => Promise<void>
  /** Where they differ from `LIMITS`. */
  readonly limits?: Partial<DatabaseLimits>
}

export function createPool(connection: Connection, options: PoolOptions = {}): pg.Pool {
  const { limits, isPooled = false, verify } = options
  const pool = new pg.Pool({
    ...whereOf(connection),
    ...limitsOf({ ...LIMITS, ...limits }, isPooled),
    Client: isPooled ? UnnamedClient : NamedClient,
    ...(verify && { verify: (client, done) => void verify(client).then(() => done(), done) }),
    max: options.max ?? CONNECTIONS_MAX,
    idleTimeoutMillis: IDLE_MAX_MS,
    keepAlive: true,
    // Statements that do not depend on one another are sent together and answered in order.
    pipeline: true,
    application_name: 'standing',
    types: types as pg.CustomTypesConfig,
  })
  // A connection in use reports its loss to its client, an idle one to the pool. An error event
  // without a handler would end the process.
  const onError = options.onError ?? (() => {})
  const clients = new Set<pg.PoolClient>()
  openClients.set(pool, clients)
  pool.on('error', (error: Error & { client?: unknown }) => {
    // `pg` adds the connection with all of its state, which a log would write out.
    delete error.client
    onError(error)
  })
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      lostClients.add(client)
      onError(error)
    })
    clients.add(client)
    client.once('end', () => clients.delete(client))
  })
  return pool
}

const openClients = new WeakMap<pg.Pool, Set<pg.PoolClient>>()

const lostClients = new WeakSet<pg.PoolClient>()

/** Whether this connection of a pool is known to be lost: nothing more is sent on it. */
export function isLost(client: pg.PoolClient): boolean {
  return lostClients.has(client)
}

/** The sockets of a pool's connections. The types of `pg` do not name them. */
function socketsOf(pool: pg.Pool): readonly Socket[] {
  return [...(openClients.get(pool) ?? [])].map(socketOf)
}

function socketOf(client: pg.ClientBase): Socket {
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } }
  return connection.stream
}

/**
 * Holds back what is sent on this connection until the end of the turn: statements that are sent
 * together then take one system call instead of one each, which took a quarter of the time of an event.
 */
export function sendTogether(client: pg.ClientBase): void {
  const socket = socketOf(client)
  if (socket.writableCorked === 0) {
    socket.cork()
    process.nextTick(() => socket.uncork())
  }
}

/**
 * From now on only the server limits how long a statement of this connection may take. For work that takes
 * as long as its tables are large; the connection must be closed after it.
 */
export function waitForServer(client: pg.ClientBase): void {
  const { connectionParameters } = client as unknown as {
    readonly connectionParameters: { query_timeout: number | false }
  }
  connectionParameters.query_timeout = false
}

/** What each connection of a pool has received so far. */
export type Received = ReadonlyMap<Socket, number>

export function receivedBy(pool: pg.Pool): Received {
  return new Map(socketsOf(pool).map((socket) => [socket, socket.bytesRead]))
}

/** Closes the connections that have received nothing since, in use or not: their other end is gone. */
export function closeSilent(pool: pg.Pool, since: Received): void {
  for (const socket of socketsOf(pool)) {
    if (since.get(socket) === socket.bytesRead) {
      socket.destroy()
    }
  }
}

/** How long connections may take to close. */
const END_MAX_MS = 500

/** Ends a pool. A connection that does not answer any more is closed without an answer. */
export async function endPool(pool: pg.Pool): Promise<void> {
  const sockets = socketsOf(pool)
  await endsOrElse(pool.end(), () => {
    for (const socket of sockets) {
      socket.destroy()
    }
  })
}

/** Ends a connection outside a pool; one that does not answer any more is closed without an answer. */
export async function endClient(client: pg.Client): Promise<void> {
  await endsOrElse(client.end(), () => socketOf(client).destroy())
}

async function endsOrElse(ending: Promise<void>, cut: () => void): Promise<void> {
  const timer = setTimeout(cut, END_MAX_MS)
  await ending.catch(() => {})
  clearTimeout(timer)
}

/** A connection outside the pool. */
export function createClient(connection: Connection, applicationName: string): pg.Client {
  return new pg.Client({
    ...whereOf(connection),
    connectionTimeoutMillis: LIMITS.connectMs,
    query_timeout: LIMITS.connectMs,
    keepAlive: true,
    application_name: applicationName,
  })
}

/** A connection for work that may take long, as a backup does. No statement of it has a time limit. */
export function createBatchClient(connection: Connection, applicationName: string): pg.Client {
  const client = new pg.Client({
    ...whereOf(connection),
    connectionTimeoutMillis: LIMITS.connectMs,
    statement_timeout: 0,
    lock_timeout: LIMITS.lockMs,
    idle_in_transaction_session_timeout: 0,
    keepAlive: true,
    application_name: applicationName,
  })
  // Lost between two statements, it would end the process: the next statement fails instead.
  client.on('error', () => {})
  return client
}

/** The database of the same name on another server, with the same user, password and TLS. */
export function onServer(
  connection: Connection,
  { host, port }: { readonly host: string; readonly port: number },
): Connection {
  if (!('url' in connection)) {
    return { ...connection, host, port }
  }
  const url = new URL(connection.url)
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  return { url: url.href }
}

function whereOf(connection: Connection): pg.ClientConfig {
  return 'url' in connection ? { connectionString: connection.url } : connection
}

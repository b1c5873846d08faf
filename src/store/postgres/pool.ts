import pg from 'pg'

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
 * Twelve connections: one for each flight of events and a few for reads; measured on two cores, more
 * only made them wait inside the database instead of in front of it.
 */
const CONNECTIONS_MAX = 12

/** Fail soon and clearly rather than queue behind a database that is stuck. */
const TIMEOUTS = {
  connectionTimeoutMillis: 3_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
}

/** JSON stays text until somebody reads it; 64-bit integers here are times and counts, below 2^53. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8) {
      return Number
    }
    return pg.types.getTypeParser(oid, format)
  },
}

export function createPool(
  connection: Connection,
  options: { readonly max?: number; readonly onError?: (error: Error) => void } = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...whereOf(connection),
    ...TIMEOUTS,
    max: options.max ?? CONNECTIONS_MAX,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Statements that need nothing of one another are sent together and answered in order.
    pipeline: true,
    application_name: 'standing',
    types: types as pg.CustomTypesConfig,
  })
  // A connection that dies while it is lent out tells its client, one that rests tells the pool;
  // unheard, either ends the process.
  const heard = options.onError ?? (() => {})
  pool.on('error', heard)
  pool.on('connect', (client) => client.on('error', heard))
  return pool
}

/** A connection that is one's own, for as long as it lasts. */
export function createClient(connection: Connection, applicationName: string): pg.Client {
  return new pg.Client({
    ...whereOf(connection),
    connectionTimeoutMillis: TIMEOUTS.connectionTimeoutMillis,
    query_timeout: TIMEOUTS.connectionTimeoutMillis,
    keepAlive: true,
    application_name: applicationName,
  })
}

function whereOf(connection: Connection): pg.ClientConfig {
  return 'url' in connection ? { connectionString: connection.url } : connection
}

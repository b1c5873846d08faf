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
 * Twelve connections: one for each batch of events and a few for reads. Measured on two cores: more of
 * them only moved the waiting into the database.
 */
const CONNECTIONS_MAX = 12

/** Requests fail soon and clearly instead of queueing behind a database that is stuck. */
const TIMEOUTS = {
  connectionTimeoutMillis: 3_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
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
    // Statements that do not depend on one another are sent together and answered in order.
    pipeline: true,
    application_name: 'standing',
    types: types as pg.CustomTypesConfig,
  })
  // A connection in use reports its loss to its client, an idle one to the pool. An error event
  // without a handler would end the process.
  const onError = options.onError ?? (() => {})
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** A connection outside the pool. */
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

import pg from 'pg'
import { errorCode } from './error.ts'
import { pause } from './wait.ts'

/** How to connect to the server. `host` is the directory of its socket; there is no password. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** A server that recovers from the crash of a session refuses connections for a moment. */
const CONNECT_FOR_MS = 30_000
const TRY_AGAIN_AFTER_MS = 50

/** SQLSTATE codes: the server is recovering; all its connections are in use. */
export const RECOVERING = '57P03'
const TRANSIENT = [RECOVERING, '53300']

/** SQLSTATE codes: the database does not exist yet; another process created it first. */
const NO_SUCH_DATABASE = '3D000'
const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'

/** Connects, and creates the database if it does not exist: at the first start, or after a crash in it. */
export async function connectOrCreate(
  connection: Connection,
  signal?: AbortSignal,
  forMs = CONNECT_FOR_MS,
): Promise<pg.Client> {
  try {
    return await connectWithRetries(connection, forMs, signal)
  } catch (error) {
    if (errorCode(error) !== NO_SUCH_DATABASE) {
      throw error
    }
  }
  const client = await connect({ ...connection, database: 'postgres' })
  try {
    await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code !== DUPLICATE_DATABASE && code !== UNIQUE_VIOLATION) {
      throw error
    }
  } finally {
    await client.end()
  }
  return await connect(connection)
}

async function connectWithRetries(
  connection: Connection,
  forMs: number,
  signal?: AbortSignal,
): Promise<pg.Client> {
  const deadline = performance.now() + forMs
  for (;;) {
    try {
      return await connect(connection)
    } catch (error) {
      if (!TRANSIENT.includes(errorCode(error) ?? '') || performance.now() > deadline) {
        throw error
      }
    }
    await pause(TRY_AGAIN_AFTER_MS, signal)
  }
}

async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    // Set explicitly: PGSSLMODE and the like are meant for other servers.
    ssl: false,
    application_name: sessionName(process.pid),
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener a lost connection would end the process. The lock listens to 'end', which follows.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** What a session of this package is called, so that the holder of the lock can be named. */
export function sessionName(pid: number | string): string {
  return `embedded-postgres ${pid}`
}

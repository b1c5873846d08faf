import pg from 'pg'
import { errorCode } from './error.ts'
import { pause } from './wait.ts'

/** How to reach the server. `host` is the directory of its socket; there is no password. */
export interface Connection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** A server that mends itself after the crash of a session lets nobody in for a moment. */
const CONNECT_FOR_MS = 30_000
const TRY_AGAIN_AFTER_MS = 50

/** SQLSTATE codes: it is mending itself; all its connections are taken. */
const NOT_NOW = ['57P03', '53300']

/** SQLSTATE codes: the database is yet to be created; another process was faster to create it. */
const NO_SUCH_DATABASE = '3D000'
const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'

/** Connects, making the database if it is not there: the first start, or a crash during it. */
export async function connectOrCreate(
  connection: Connection,
  signal?: AbortSignal,
): Promise<pg.Client> {
  try {
    return await connectPatiently(connection, signal)
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

async function connectPatiently(connection: Connection, signal?: AbortSignal): Promise<pg.Client> {
  const deadline = Date.now() + CONNECT_FOR_MS
  for (;;) {
    try {
      return await connect(connection)
    } catch (error) {
      if (!NOT_NOW.includes(errorCode(error) ?? '') || Date.now() > deadline) {
        throw error
      }
    }
    await pause(TRY_AGAIN_AFTER_MS, signal)
  }
}

async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    // Said outright, for PGSSLMODE and the like are meant for other servers.
    ssl: false,
    application_name: `standing ${process.pid}`,
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener a lost connection would end the process; 'end' follows and is listened to.
  client.on('error', () => {})
  await client.connect()
  return client
}

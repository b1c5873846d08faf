import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { UserError } from '../lib/user-error.ts'
import { CONNECTIONS_PER_NODE, type Connection } from '../store/postgres/pool.ts'
import type { Closers } from './closers.ts'
import { makeDataDir } from './data-dir.ts'
import { findEmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.ts'

/** What is opened by the settings; what has to be closed later is added to `closers`. */
export interface Opening {
  readonly config: Config
  readonly log: Log
  readonly closers: Closers
}

export interface Addresses {
  /** Of the database, or of a pooler before it. */
  readonly connection: Connection
  /** Past the pooler, for what needs a session of its own. */
  readonly direct: Connection
  readonly isPooled: boolean
}

export async function addressesOf(opening: Opening, isOwner: boolean): Promise<Addresses> {
  const { config } = opening
  const connection = await (isOwner ? connectionOf(opening) : existingConnection(config))
  const { databaseDirectUrl } = config
  return databaseDirectUrl === null
    ? { connection, direct: connection, isPooled: false }
    : { connection, direct: { url: databaseDirectUrl }, isPooled: true }
}

/** Where the database is: the configured one, or else the embedded one, which is started. */
async function connectionOf({ config, log, closers }: Opening): Promise<Connection> {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl }
  }
  return startOwnDatabase(config, log, closers)
}

/** For the lock, commands and a backup, in addition to the connections of the serving processes. */
const CONNECTIONS_SPARE = 42

/** Starts the embedded PostgreSQL with room for all processes that serve. */
export async function startOwnDatabase(
  { dataDir, workers }: Config,
  log: Log,
  closers: Closers,
): Promise<Connection> {
  await makeDataDir(dataDir)
  const embedded = await startEmbeddedDatabase({
    dataDir,
    log: (message, fields) => log.info(fields ?? {}, message),
    settings: { max_connections: String(CONNECTIONS_SPARE + workers * CONNECTIONS_PER_NODE) },
  })
  closers.push({ name: 'embedded PostgreSQL', close: () => embedded.stop() })
  return embedded.connection
}

/** Where the database is, if another process has started the embedded one. */
async function existingConnection({ databaseUrl, dataDir }: Config): Promise<Connection> {
  if (databaseUrl !== null) {
    return { url: databaseUrl }
  }
  const connection = await findEmbeddedDatabase(dataDir)
  if (connection === null) {
    throw new UserError(
      `No PostgreSQL runs on the data directory ${dataDir}. Start the service again: standing serve`,
    )
  }
  return connection
}

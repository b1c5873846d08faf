import type pg from 'pg'
import type { Config } from '../../src/config.ts'
import { UserError } from '../../src/lib/user-error.ts'
import { hasData } from '../../src/startup/data-dir.ts'
import { findEmbeddedDatabase, startEmbeddedDatabase } from '../../src/startup/embedded-database.ts'
import { type DatabaseSetting, unreachable } from '../../src/startup-errors.ts'
import { migrationState } from '../../src/store/postgres/migrate.ts'
import { type Connection, createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { undoneIfInterrupted } from './interrupt.ts'

/** The service's database server, while the service runs or not. */
export interface Server {
  readonly connection: Connection
  readonly pool: pg.Pool
}

/** A database that this release can use. */
export interface Database {
  readonly pool: pg.Pool
  readonly store: Store
}

/** A command runs one query after the other; two connections leave the rest to the service. */
const CONNECTIONS_MAX = 2

/** Works on the database of these settings. @throws UserError if this release cannot use it */
export function withDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return withServer(config, async ({ pool }) => {
    await checkMigrations(pool)
    return work({ pool, store: createPostgresStore(pool) })
  })
}

/** Works on the server of these settings, whatever its database is like. @throws UserError */
export async function withServer<T>(
  config: Config,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  const { connection, stop } = await connectToServer(config)
  const pool = createPool(connection, { max: CONNECTIONS_MAX })
  try {
    return await work({ connection, pool })
  } finally {
    await pool.end().finally(stop)
  }
}

/** @throws UserError that names the database, the reason and what to do */
async function checkReachable(url: string, setting: DatabaseSetting): Promise<void> {
  const pool = createPool({ url }, { max: 1 })
  try {
    await pool.query('select 1')
  } catch (error) {
    throw unreachable(url, error, setting)
  } finally {
    await pool.end()
  }
}

interface ConnectedServer {
  readonly connection: Connection
  readonly stop: () => Promise<void>
}

/**
 * The server that DATABASE_URL names, past a pooler, which a cursor and a lock cannot pass; else the embedded one, if
 * need be started for this command.
 * @throws UserError
 */
export async function connectToServer(config: Config): Promise<ConnectedServer> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config
  const nothing = async () => {}
  const url = databaseDirectUrl ?? databaseUrl
  if (url !== null) {
    await checkReachable(url, databaseDirectUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL')
    return { connection: { url }, stop: nothing }
  }
  const running = await findEmbeddedDatabase(dataDir)
  if (running) {
    return { connection: running, stop: nothing }
  }
  if (!hasData(dataDir)) {
    throw noDataIn(dataDir)
  }
  return startForCommand(dataDir)
}

/**
 * Starts the embedded database. It is also stopped where a signal ends the command, which the server
 * would outlive as it does a crash. @throws UserError
 */
export async function startForCommand(dataDir: string): Promise<ConnectedServer> {
  const starting = startEmbeddedDatabase({ dataDir })
  // Also while it is being started.
  const ended = undoneIfInterrupted(async () => (await starting).stop())
  try {
    const embedded = await starting
    return {
      connection: embedded.connection,
      async stop() {
        await embedded.stop()
        await ended()
      },
    }
  } catch (error) {
    await ended()
    throw error
  }
}

export function noDataIn(dataDir: string): UserError {
  return new UserError(
    `There is no data in ${dataDir}. Set STANDING_DATA_DIR (or --data-dir) to the directory of ` +
      'the service, or DATABASE_URL to its database.',
  )
}

/** @throws UserError if this release cannot use the database as it is */
export async function checkMigrations(pool: pg.Pool): Promise<void> {
  const { missing, unknown } = await migrationState(pool)
  if (unknown.length > 0) {
    throw new UserError(
      `The database belongs to a newer release (it has ${unknown.join(', ')}). Use that release.`,
    )
  }
  if (missing.length > 0) {
    throw new UserError(
      `The database lacks ${missing.join(', ')}. Start this release of the service once to migrate it.`,
    )
  }
}

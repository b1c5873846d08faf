import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { UserError } from '../lib/user-error.ts'
import { unreachable, withoutRights } from '../startup-errors.ts'
import { createChanges, createScoreNotifier } from '../store/postgres/changes.ts'
import { type Listener, listen } from '../store/postgres/listen.ts'
import { migrate } from '../store/postgres/migrate.ts'
import {
  CONNECTIONS_PER_NODE,
  type Connection,
  createClient,
  createPool,
  endPool,
  LIST_CONNECTIONS_MAX,
} from '../store/postgres/pool.ts'
import { sqlOn } from '../store/postgres/sql.ts'
import { createPostgresStore } from '../store/postgres/store.ts'
import type { ChangeFeed, Store } from '../store/store.ts'
import type { Closers } from './closers.ts'
import { makeDataDir } from './data-dir.ts'
import { findEmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.ts'

export interface Database {
  readonly pool: pg.Pool
  /** Every pool by its name, for the metrics. */
  readonly pools: Readonly<Record<'main' | 'lists' | 'ping', pg.Pool>>
  /** Queries the database on a connection of its own: a busy pool does not mean a dead database. */
  readonly ping: () => Promise<unknown>
  readonly listener: Listener
  readonly changes: ChangeFeed
  readonly store: Store
}

export interface DatabaseOptions {
  /** Called for each pool before its first connection. */
  readonly onPool?: ((pool: pg.Pool) => void) | undefined
  /** Whether this process starts the embedded PostgreSQL; otherwise another one has. */
  readonly isOwner?: boolean
}

/** Connecting and the query, each with this limit, end before a monitor gives up. */
const PING_MAX_MS = 450

/** The database, migrated, with what this node keeps open to it. */
export async function openDatabase(
  config: Config,
  log: Log,
  newId: () => string,
  closers: Closers,
  { onPool = () => {}, isOwner = true }: DatabaseOptions,
): Promise<Database> {
  const connection = isOwner
    ? await connectionOf(config, log, closers)
    : await existingConnection(config)
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const pool = createPool(connection, { onError })
  onPool(pool)
  closers.push(() => endPool(pool))
  await checkConnection(pool, config)
  for (const name of await migrated(pool, config)) {
    log.info({ migration: name }, 'migrated')
  }
  const lists = createPool(connection, { max: LIST_CONNECTIONS_MAX, onError })
  onPool(lists)
  closers.push(() => endPool(lists))
  const newClient = () => createClient(connection, 'standing listener')
  const listener = listen({ newClient, pool, onError })
  closers.push(() => listener.close())
  const changes = createChanges(listener)
  const scoreNotifier = createScoreNotifier(sqlOn(pool), changes.origin)
  closers.push(() => scoreNotifier.idle())
  const pingPool = createPool(connection, { max: 1, onError, timeoutMs: PING_MAX_MS })
  closers.push(() => endPool(pingPool))
  return {
    pool,
    pools: { main: pool, lists, ping: pingPool },
    ping: () => pingPool.query('select 1'),
    listener,
    changes,
    store: createPostgresStore(pool, { newId, publisher: changes, scoreNotifier, lists }),
  }
}

/** Where the database is: the configured one, or else the embedded one, which is started. */
async function connectionOf(config: Config, log: Log, closers: Closers): Promise<Connection> {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl }
  }
  return startOwnDatabase(config, log, closers)
}

/** For the lock, commands and a backup, beside the connections of the processes that serve. */
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
  closers.push(() => embedded.stop())
  return embedded.connection
}

/** The same where the embedded one is another process's. */
async function existingConnection({ databaseUrl, dataDir }: Config): Promise<Connection> {
  if (databaseUrl !== null) {
    return { url: databaseUrl }
  }
  const connection = await findEmbeddedDatabase(dataDir)
  if (connection === null) {
    throw new UserError(`No PostgreSQL runs on the data directory ${dataDir}.`)
  }
  return connection
}

/** Brings the schema up to date. @throws UserError where the user of DATABASE_URL may not */
async function migrated(pool: pg.Pool, { databaseUrl }: Config): Promise<readonly string[]> {
  try {
    return await migrate(pool)
  } catch (error) {
    throw databaseUrl === null ? error : withoutRights(databaseUrl, error)
  }
}

/** Fails early, with advice, when DATABASE_URL is wrong. */
async function checkConnection(pool: pg.Pool, { databaseUrl }: Config): Promise<void> {
  try {
    await pool.query('select 1')
  } catch (error) {
    throw databaseUrl === null ? error : unreachable(databaseUrl, error)
  }
}

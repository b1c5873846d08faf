import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { UserError } from '../lib/user-error.ts'
import type { Ping } from '../ops/readiness.ts'
import {
  anotherDatabase,
  type DatabaseSetting,
  noReplica,
  readOnly,
  unreachable,
  withoutRights,
} from '../startup-errors.ts'
import { createChanges, createScoreNotifier, NO_SCORE_NOTIFIER } from '../store/postgres/changes.ts'
import { type Cluster, readCluster } from '../store/postgres/cluster.ts'
import { identityFrom, readWorkers } from '../store/postgres/distribution.ts'
import { LISTENER_NAME, type Listener, listen } from '../store/postgres/listen.ts'
import { isMigrated, MIGRATIONS, migrate } from '../store/postgres/migrate.ts'
import {
  CONNECTIONS_PER_NODE,
  type Connection,
  createClient,
  createPool,
  type DatabaseLimits,
  endPool,
  LIST_CONNECTIONS_MAX,
  onServer,
  type PoolOptions,
} from '../store/postgres/pool.ts'
import { identityOf, installationId, isCopy } from '../store/postgres/replica.ts'
import { sqlOn } from '../store/postgres/sql.ts'
import { createStatisticsWriter } from '../store/postgres/statistics.ts'
import { createPostgresStore } from '../store/postgres/store.ts'
import { type Address, createWorkers } from '../store/postgres/workers.ts'
import { type ChangeFeed, type Store, StoreUnavailable } from '../store/store.ts'
import { BACKGROUND, type Closers } from './closers.ts'
import { makeDataDir } from './data-dir.ts'
import { findEmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.ts'

export interface Database {
  readonly pool: pg.Pool
  /** Every pool by its name, for the metrics. */
  readonly pools: Readonly<Record<'main' | 'lists' | 'ping', pg.Pool>>
  /** Queries the database on a connection of its own: a busy pool does not mean a dead database. */
  readonly ping: () => Promise<Ping>
  readonly listener: Listener
  readonly changes: ChangeFeed
  readonly store: Store
}

/** What is opened by the settings; what has to be closed later is added to `closers`. */
export interface Opening {
  readonly config: Config
  readonly log: Log
  readonly closers: Closers
}

export interface DatabaseOptions {
  /** Called for each pool before its first connection. */
  readonly onPool?: ((pool: pg.Pool) => void) | undefined
  /** Whether this process starts the embedded PostgreSQL; otherwise another one has. */
  readonly isOwner?: boolean
  /** How long to wait for the database, where that differs from `LIMITS`. */
  readonly limits?: Partial<DatabaseLimits> | undefined
}

/** Connecting and the query, each with this limit, end before a monitor gives up. */
const PING_MAX_MS = 450

/** The database, migrated, with what this node keeps open to it. */
export async function openDatabase(
  opening: Opening,
  newId: () => string,
  { onPool = () => {}, isOwner = true, limits }: DatabaseOptions,
): Promise<Database> {
  const { config, log, closers } = opening
  const addresses = await addressesOf(opening, isOwner)
  const { direct, isPooled } = addresses
  const open = poolOpener(opening, addresses, limits)
  const pool = open('main')
  onPool(pool)
  await checkConnection(pool, config)
  // The direct address beside a pooler is tried in any case, so that a wrong one is found at the start.
  if (isPooled || !(await isMigrated(pool))) {
    await migrateAll(pool, direct, config, log)
  }
  const cluster = await openCluster(opening, pool, direct, onPool)
  const lists = open('lists', { max: LIST_CONNECTIONS_MAX })
  onPool(lists)
  const replica = await openReplica(opening, open, pool)
  const { listener, changes, scoreNotifier } = openChangeFeed(opening, pool, direct)
  const statistics = createStatisticsWriter(pool)
  closers.push({ ...BACKGROUND, name: 'statistics', close: () => statistics.written() })
  const pingPool = open('ping', {
    max: 1,
    limits: { connectMs: PING_MAX_MS, answerMs: PING_MAX_MS },
  })
  return {
    pool,
    pools: { main: pool, lists, ping: pingPool },
    async ping() {
      const { isStandby, isReadOnly } = await writability(pingPool)
      return { isReadOnly: isStandby || isReadOnly }
    },
    listener,
    changes,
    store: createPostgresStore(pool, {
      newId,
      publisher: changes,
      notifies: config.notify,
      scoreNotifier,
      lists,
      replica,
      cluster,
      statistics,
    }),
  }
}

interface Addresses {
  /** Of the database, or of a pooler before it. */
  readonly connection: Connection
  /** Past the pooler, for what needs a session of its own. */
  readonly direct: Connection
  readonly isPooled: boolean
}

async function addressesOf(opening: Opening, isOwner: boolean): Promise<Addresses> {
  const { config } = opening
  const connection = await (isOwner ? connectionOf(opening) : existingConnection(config))
  const { databaseDirectUrl } = config
  return databaseDirectUrl === null
    ? { connection, direct: connection, isPooled: false }
    : { connection, direct: { url: databaseDirectUrl }, isPooled: true }
}

type OpenPool = (name: string, options?: PoolOptions, to?: Connection) => pg.Pool

/** Opens pools that are closed with the service, by default to the database. */
function poolOpener(
  { log, closers }: Opening,
  { connection, isPooled }: Addresses,
  limits?: Partial<DatabaseLimits>,
): OpenPool {
  const onError = connectionLost(log)
  return (name, options, to = connection) => {
    const pool = createPool(to, {
      onError,
      isPooled,
      ...options,
      limits: { ...limits, ...options?.limits },
    })
    closers.push({ name: `database connections (${name})`, close: () => endPool(pool) })
    return pool
  }
}

/**
 * Each connection is checked: the address may lead to another server one day. What cannot be read there is read from
 * the primary. @throws UserError where it leads to another installation at the start
 */
async function openReplica(
  { config: { databaseReplicaUrl: url }, log }: Opening,
  open: OpenPool,
  primary: pg.Pool,
): Promise<pg.Pool | null> {
  // Also without a replica: a later one is known by it.
  const installation = await installationId(sqlOn(primary))
  if (url === null) {
    return null
  }
  const original = { installation, identity: await identityOf(sqlOn(primary)) }
  let isOpen = false
  let isRight = true
  const verify = async (client: pg.PoolClient) => {
    const wasRight = isRight
    isRight = await isCopy(sqlOn(client), original)
    if (!isRight) {
      if (isOpen && wasRight) {
        log.warn(`${noReplica(url).message} Until then lists are read from the primary.`)
      }
      throw new StoreUnavailable('the replica is one of another installation')
    }
  }
  const replica = open('replica', { max: LIST_CONNECTIONS_MAX, verify }, { url })
  const problem = await replica.query('select from installation').catch((error: unknown) => error)
  if (!isRight) {
    throw noReplica(url)
  }
  // One that cannot be used now may be later.
  if (problem instanceof Error) {
    const { message } = unreachable(url, problem, 'DATABASE_REPLICA_URL')
    log.warn(`${message} Until it can, lists are read from the primary.`)
  }
  isOpen = true
  return replica
}

/** Where this node learns of the changes of others, and publishes its own. */
function openChangeFeed({ config, log, closers }: Opening, pool: pg.Pool, direct: Connection) {
  const newClient = () => createClient(direct, LISTENER_NAME)
  const onError = connectionLost(log)
  const listener = config.notify ? listen({ newClient, pool, onError }) : SILENT
  closers.push({ name: 'listener', close: () => listener.close() })
  const changes = createChanges(listener, () =>
    log.warn('a notification of changes cannot be read: everything cached is read again'),
  )
  const scoreNotifier = config.notify
    ? createScoreNotifier(sqlOn(pool), changes.origin, listener.hasOthers)
    : NO_SCORE_NOTIFIER
  // What is left behind is in the tables of the events too, as after a crash.
  closers.push({ ...BACKGROUND, name: 'score notifications', close: () => scoreNotifier.idle() })
  return { listener, changes, scoreNotifier }
}

function connectionLost(log: Log): (error: Error) => void {
  return (error) => log.warn({ err: error }, 'database connection lost')
}

/** The shards of a Citus cluster, with connections to its workers; null on a single server. */
async function openCluster(
  { log, closers }: Opening,
  coordinator: pg.Pool,
  direct: Connection,
  onPool: (pool: pg.Pool) => void,
): Promise<Cluster | null> {
  const onError = connectionLost(log)
  const open = (address: Address, options: PoolOptions) => {
    const pool = createPool(onServer(direct, address), { onError, ...options })
    onPool(pool)
    return pool
  }
  const identityOf = (address: Address) => identityFrom(coordinator, address)
  const cluster = await readCluster(coordinator, createWorkers({ open, identityOf, log }))
  if (cluster) {
    closers.push({ name: 'connections to workers', close: () => cluster.workers.close() })
    await cluster.workers.connect(await readWorkers(coordinator))
  }
  return cluster
}

/** A migration takes a lock for its session, and as long as it needs: no pooler stands between. */
async function migrateAll(
  through: pg.Pool,
  direct: Connection,
  config: Config,
  log: Log,
): Promise<void> {
  const pool = createPool(direct, { max: 1 })
  try {
    await checkDirect(through, pool, config)
    for (const name of await migrated(pool, config, log)) {
      log.info({ migration: name }, 'migrated')
    }
  } finally {
    await endPool(pool)
  }
}

/** Before anything is written: the address beside a pooler may be that of another database. */
async function checkDirect(
  through: pg.Pool,
  direct: pg.Pool,
  { databaseUrl, databaseDirectUrl }: Config,
): Promise<void> {
  if (databaseUrl === null || databaseDirectUrl === null) {
    return
  }
  await checkAddress(direct, databaseDirectUrl, 'DATABASE_DIRECT_URL')
  if ((await identityOf(sqlOn(direct))) !== (await identityOf(sqlOn(through)))) {
    throw anotherDatabase(databaseUrl, databaseDirectUrl)
  }
}

/** For nodes that do not notify each other: their caches are as fresh as where notifications are lost. */
const SILENT: Listener = {
  subscribe: () => () => {},
  isConnected: () => false,
  hasOthers: () => true,
  async close() {},
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

/** Brings the schema up to date. @throws UserError where the user of the database may not */
async function migrated(
  pool: pg.Pool,
  { databaseUrl, databaseDirectUrl }: Config,
  log: Log,
): Promise<readonly string[]> {
  const onWait = () => log.warn('waiting for another node that migrates the database')
  try {
    return await migrate(pool, MIGRATIONS, onWait)
  } catch (error) {
    if (databaseDirectUrl !== null) {
      throw withoutRights(databaseDirectUrl, error, 'DATABASE_DIRECT_URL')
    }
    throw databaseUrl === null ? error : withoutRights(databaseUrl, error)
  }
}

/** Fails early, with advice, when DATABASE_URL is wrong. */
async function checkConnection(pool: pg.Pool, { databaseUrl }: Config): Promise<void> {
  if (databaseUrl === null) {
    await pool.query('select 1')
  } else {
    await checkAddress(pool, databaseUrl, 'DATABASE_URL')
  }
}

interface Writability {
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

/** @throws UserError where the database of a setting cannot be reached, or cannot be written to */
async function checkAddress(pool: pg.Pool, url: string, setting: DatabaseSetting): Promise<void> {
  const found = await writability(pool).catch((error: unknown) => {
    throw unreachable(url, error, setting)
  })
  if (found.isStandby || found.isReadOnly) {
    throw readOnly(url, found, setting)
  }
}

async function writability(pool: pg.Pool): Promise<Writability> {
  const { rows } = await pool.query<Writability>(
    `select pg_is_in_recovery() as "isStandby",
       current_setting('transaction_read_only')::bool as "isReadOnly"`,
  )
  const [found = { isStandby: false, isReadOnly: false }] = rows
  return found
}

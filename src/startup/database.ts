import type pg from 'pg'
import type { Log } from '../lib/log.ts'
import type { Ping } from '../ops/readiness.ts'
import { noReplica, unreachable } from '../startup-errors.ts'
import {
  createChanges,
  createScoreNotifier,
  type LinkedNodes,
  NO_SCORE_NOTIFIER,
  type Publisher,
} from '../store/postgres/changes.ts'
import { type Cluster, readCluster } from '../store/postgres/cluster.ts'
import { identityFrom, readWorkers } from '../store/postgres/distribution.ts'
import { LISTENER_NAME, type Listener, listen } from '../store/postgres/listen.ts'
import { isMigrated } from '../store/postgres/migrate.ts'
import {
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
import { checkConnection, writability } from './check-database.ts'
import { BACKGROUND } from './closers.ts'
import { type Addresses, addressesOf, type Opening } from './locate-database.ts'
import { migrateAll } from './migrate-database.ts'

export interface Database {
  readonly pool: pg.Pool
  /** Every pool by its name, for the metrics. */
  readonly pools: Readonly<Record<'main' | 'lists' | 'ping', pg.Pool>>
  /** Queries the database on a connection of its own: a busy pool does not mean a dead database. */
  readonly ping: () => Promise<Ping>
  readonly listener: Listener
  readonly changes: ChangeFeed & Pick<Publisher, 'publish'>
  readonly linkedNodes: LinkedNodes
  readonly store: Store
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
  const { listener, changes, linkedNodes, scoreNotifier } = openChangeFeed(opening, pool, direct)
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
    linkedNodes,
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
  const linkedNodes: LinkedNodes = { count: 0 }
  const changes = createChanges(listener, () =>
    log.warn('a notification of changes cannot be read: everything cached is read again'),
  )
  const scoreNotifier = config.notify
    ? createScoreNotifier(sqlOn(pool), changes.origin, () => listener.others() > linkedNodes.count)
    : NO_SCORE_NOTIFIER
  // What is left behind is in the tables of the events too, as after a crash.
  closers.push({ ...BACKGROUND, name: 'score notifications', close: () => scoreNotifier.idle() })
  return { listener, changes, linkedNodes, scoreNotifier }
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

/** For nodes that do not notify each other: their caches are as fresh as where notifications are lost. */
const SILENT: Listener = {
  subscribe: () => () => {},
  isConnected: () => false,
  others: () => Number.POSITIVE_INFINITY,
  async close() {},
}

import type pg from 'pg'
import { type Embedded, startEmbedded } from '../packages/embedded-postgres/src/index.ts'
import { createApp, type Foundation } from './app.ts'
import { createSetup } from './auth/setup.ts'
import type { Config } from './config.ts'
import { startDeliverer } from './delivery/deliver.ts'
import { createCursors } from './http/cursor.ts'
import { type HttpServer, serve } from './http/server.ts'
import { createIds } from './lib/ids.ts'
import type { Log } from './lib/log.ts'
import { UserError } from './lib/user-error.ts'
import { createVault, type Vault } from './lib/vault.ts'
import { createMetrics, type Metrics } from './ops/metrics.ts'
import { createRuleBook } from './reviews/rule-book.ts'
import { makeDataDir } from './startup/data-dir.ts'
import { installationSecret } from './startup/master-key.ts'
import { unreachable } from './startup-errors.ts'
import { createChanges } from './store/postgres/changes.ts'
import { createDeliveryQueue } from './store/postgres/delivery-queue.ts'
import { CHANNELS, type Listener, listen } from './store/postgres/listen.ts'
import { migrate } from './store/postgres/migrate.ts'
import { type Connection, createClient, createPool } from './store/postgres/pool.ts'
import { createPostgresStore } from './store/postgres/store.ts'
import type { ChangeFeed, Store } from './store/store.ts'

export interface Service {
  readonly url: string
  /** Where the operator's first key is to be had; null once it was. */
  readonly setupUrl: string | null
  /** Answers what was accepted, finishes what was begun, and lets go of the database. */
  close(): Promise<void>
}

export interface ServiceOptions {
  /** Milliseconds since the epoch; the system's clock unless told. */
  readonly now?: () => number
}

/** Opens the service as configured; what was opened is closed again when a later part fails. */
export async function openService(
  config: Config,
  log: Log,
  options: ServiceOptions = {},
): Promise<Service> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (let one = closers.pop(); one; one = closers.pop()) {
      await one()
    }
  }
  try {
    return { ...(await open(config, log, options, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(
  config: Config,
  log: Log,
  options: ServiceOptions,
  closers: (() => Promise<void>)[],
): Promise<Omit<Service, 'close'>> {
  const secret = await installationSecret(config)
  const connection = await openDatabase(config, log, closers)
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  const pool = createPool(connection, { onError })
  closers.push(() => pool.end())
  await enter(pool, config)
  for (const name of await migrate(pool)) {
    log.info({ migration: name }, 'migrated')
  }
  const newClient = () => createClient(connection, 'standing listener')
  const listener = listen({ newClient, pool, onError })
  closers.push(() => listener.close())
  const changes = createChanges(listener)
  const newId = createIds()
  const store = createPostgresStore(pool, { newId, publisher: changes })
  const vault = createVault(secret)
  await checkSecret(store, vault)

  // The address is part of tokens and links, so it is needed before a free port is known.
  let server: HttpServer | null = null
  const baseUrl = () => config.baseUrl ?? `http://${hostInUrl(config.host)}:${server?.port}`
  const context = createContext({ config, store, vault, newId, clock: options.now ?? Date.now })
  const setup = await createSetup(context, config.operatorKey)
  const metrics = createMetrics()
  watch(metrics, pool, changes)
  let draining = false
  const app = await createApp({
    context,
    changes,
    setup,
    metrics,
    baseUrl,
    publicUrl: config.baseUrl,
    operatorKey: config.operatorKey,
    trustProxy: config.trustProxy,
    log,
    notReady: async () => (draining ? 'shutting down' : reasonNotReady(pool)),
  })
  closers.push(() => app.close())
  server = await serve(app.handle, { newId: context.newId, basePath: app.basePath }, config)
  closers.push(async () => {
    draining = true
    await server?.close()
  })
  closers.push(startDelivery({ config, log, pool, listener, context, metrics }))
  const setupUrl = setup.token === null ? null : `${baseUrl()}/setup?token=${setup.token}`
  return { url: baseUrl(), setupUrl }
}

/** Delivers webhooks until it is closed, which is before the requests are drained. */
function startDelivery({
  config,
  log,
  pool,
  listener,
  context,
  metrics,
}: {
  readonly config: Config
  readonly log: Log
  readonly pool: pg.Pool
  readonly listener: Listener
  readonly context: Foundation
  readonly metrics: Metrics
}) {
  const nodeId = context.newId()
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'webhook delivery failed; it goes on')
  const deliverer = startDeliverer({
    queue: createDeliveryQueue(pool, nodeId),
    subscribe: (wake) => listener.subscribe(CHANNELS.deliveries, { notified: wake, missed: wake }),
    open: context.vault.open,
    allow: config.webhookAllow,
    now: context.now,
    onAttempt: metrics.attempted,
    onError,
  })
  return () => deliverer.close()
}

async function openDatabase(
  config: Config,
  log: Log,
  closers: (() => Promise<void>)[],
): Promise<Connection> {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl }
  }
  await makeDataDir(config.dataDir)
  const embedded: Embedded = await startEmbedded({
    dataDir: config.dataDir,
    log: (message, fields) => log.info(fields ?? {}, message),
  })
  closers.push(() => embedded.stop())
  return embedded.connection
}

/** A first word with a database of one's own: what is wrong with its address shows here. */
async function enter(pool: pg.Pool, { databaseUrl }: Config): Promise<void> {
  try {
    await pool.query('select 1')
  } catch (error) {
    throw databaseUrl === null ? error : unreachable(databaseUrl, error)
  }
}

function watch({ gauge }: Metrics, pool: pg.Pool, changes: ChangeFeed): void {
  gauge('standing_db_connections', 'Connections to the database', () => pool.totalCount)
  gauge(
    'standing_db_connections_idle',
    'Connections to the database that rest',
    () => pool.idleCount,
  )
  gauge(
    'standing_db_waiting',
    'Requests that wait for a connection to the database',
    () => pool.waitingCount,
  )
  gauge(
    'standing_notify_connected',
    'Whether notifications of other nodes arrive (1) or caches are read again each second (0)',
    () => Number(changes.isConnected()),
  )
}

function createContext({
  config,
  store,
  vault,
  newId,
  clock,
}: {
  readonly config: Config
  readonly store: Store
  readonly vault: Vault
  readonly newId: () => string
  readonly clock: () => number
}): Foundation {
  const now = createClock(clock)
  return {
    store,
    vault,
    cursors: createCursors(vault.key('cursors')),
    now,
    newId,
    policy: config,
    rules: createRuleBook({ vault, now }),
  }
}

/** A clock that is kept in time is set back by less than this. */
const STEP_BACK_MS = 5_000

/**
 * The time. Over a small step back it stands still until that is made up; after a larger one, as when
 * a clock that ran ahead is put right, it goes by the clock, or it would stand still for as long.
 */
function createClock(clock: () => number): () => number {
  let latest = 0
  return () => {
    const at = clock()
    if (at > latest || at < latest - STEP_BACK_MS) {
      latest = at
    }
    return latest
  }
}

/** A secret that is not this database's would make what is sealed in it unreadable, bit by bit. */
async function checkSecret(store: Store, vault: Vault): Promise<void> {
  await store.installation.claim('secret_check', vault.checkValue)
  if ((await store.installation.get('secret_check')) === vault.checkValue) {
    return
  }
  throw new UserError(
    'STANDING_SECRET_KEY is not the one this database was set up with; every node needs the same. ' +
      'Nothing was changed.',
  )
}

async function reasonNotReady(pool: pg.Pool): Promise<string | null> {
  try {
    await pool.query('select 1')
    return null
  } catch (error) {
    // Anyone may ask: what is told is which kind of trouble, not where the database is.
    const { code } = error as { code?: unknown }
    return `the database cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`
  }
}

/** What a browser can open: an address that means every interface is reached by this machine's own. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') {
    return 'localhost'
  }
  return host.includes(':') ? `[${host}]` : host
}

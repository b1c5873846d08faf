import type pg from 'pg'
import { uuidv7 } from 'uuidv7'
import { createApp } from './app.ts'
import { type Config, ConfigError } from './config.ts'
import { type Embedded, startEmbedded } from './embedded/index.ts'
import { createCursors } from './http/cursor.ts'
import { type HttpServer, serve } from './http/server.ts'
import type { Log } from './log.ts'
import type { Context } from './resources/context.ts'
import { createSetup } from './resources/setup/setup.ts'
import { installationSecret } from './secret.ts'
import { migrate } from './store/postgres/migrate.ts'
import { createPool } from './store/postgres/pool.ts'
import { createPostgresStore } from './store/postgres/store.ts'
import type { Store } from './store/store.ts'
import { createVault, type Vault } from './vault.ts'

export interface Service {
  readonly url: string
  /** Where the operator's first key is to be had; null once it was. */
  readonly setupUrl: string | null
  /** Answers what was accepted, finishes what was begun, and lets go of the database. */
  close(): Promise<void>
}

/** Opens the service as configured; what was opened is closed again when a later part fails. */
export async function openService(config: Config, log: Log): Promise<Service> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const one of closers.reverse()) await one()
  }
  try {
    return { ...(await open(config, log, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(
  config: Config,
  log: Log,
  closers: (() => Promise<void>)[],
): Promise<Omit<Service, 'close'>> {
  const secret = await installationSecret(config)
  const pool = await openPool(config, log, closers)
  closers.push(() => pool.end())
  for (const name of await migrate(pool)) log.info({ migration: name }, 'migrated')
  const store = createPostgresStore(pool)
  const vault = createVault(secret)
  await checkSecret(store, vault)

  // The address is part of tokens and links, so it is needed before a free port is known.
  let server: HttpServer | null = null
  const baseUrl = () => config.baseUrl ?? `http://${hostInUrl(config.host)}:${server?.port}`
  const context = createContext(config, store, vault)
  const setup = await createSetup(context, config.operatorKey)
  let draining = false
  const app = await createApp({
    context,
    setup,
    baseUrl,
    operatorKey: config.operatorKey,
    trustProxy: config.trustProxy,
    log,
    notReady: async () => (draining ? 'shutting down' : reasonNotReady(pool)),
  })
  server = await serve(app.fetch, config)
  closers.push(async () => {
    draining = true
    await server?.close()
    await app.close()
  })
  const setupUrl = setup.token === null ? null : `${baseUrl()}/setup?token=${setup.token}`
  return { url: baseUrl(), setupUrl }
}

async function openPool(
  config: Config,
  log: Log,
  closers: (() => Promise<void>)[],
): Promise<pg.Pool> {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  if (config.databaseUrl !== null) return createPool({ url: config.databaseUrl }, { onError })
  const embedded: Embedded = await startEmbedded({
    dataDir: config.dataDir,
    log: (message, fields) => log.info(fields ?? {}, message),
  })
  closers.push(() => embedded.stop())
  return createPool(embedded.connection, { onError })
}

function createContext(config: Config, store: Store, vault: Vault): Context {
  return {
    store,
    vault,
    cursors: createCursors(vault.key('cursors')),
    now: createClock(),
    newId: uuidv7,
    policy: config,
  }
}

/** The time, which never goes back while we run: a clock set back stands still until it is made up. */
function createClock(): () => number {
  let latest = 0
  return () => {
    latest = Math.max(latest, Date.now())
    return latest
  }
}

/** A secret that is not this database's would make what is sealed in it unreadable, bit by bit. */
async function checkSecret(store: Store, vault: Vault): Promise<void> {
  await store.installation.claim('secret_check', vault.checkValue)
  if ((await store.installation.get('secret_check')) === vault.checkValue) return
  throw new ConfigError(
    'STANDING_SECRET_KEY is not the one this database was set up with; every node needs the same. ' +
      'Nothing was changed.',
  )
}

async function reasonNotReady(pool: pg.Pool): Promise<string | null> {
  try {
    await pool.query('select 1')
    return null
  } catch (error) {
    return `the database cannot be reached: ${error instanceof Error ? error.message : error}`
  }
}

/** What a browser can open: an address that means every interface is reached by this machine's own. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

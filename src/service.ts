import { ABOUT } from './api/about.ts'
import { createApp } from './app.ts'
import { openBreachedPasswords } from './auth/breached-passwords.ts'
import { createPasswordRules, type PasswordRules } from './auth/password-rules.ts'
import type { PasswordCost } from './auth/passwords.ts'
import { createSetup, type Setup } from './auth/setup.ts'
import type { Config } from './config.ts'
import { startDeliverer } from './delivery/deliver.ts'
import { isTrusted } from './http/address.ts'
import { createCursors } from './http/cursor.ts'
import type { CloseOptions } from './http/drain.ts'
import { type HttpServer, serve } from './http/server.ts'
import { applyOperatorKey } from './identity/operators.ts'
import { createClock } from './lib/clock.ts'
import { createIds } from './lib/ids.ts'
import type { Log } from './lib/log.ts'
import { createMailSender } from './mail/send.ts'
import { type BackgroundSchedule, backgroundSchedule } from './ops/background-schedule.ts'
import { watchDatabase } from './ops/database-metrics.ts'
import { type DiskGuard, watchDisk } from './ops/disk.ts'
import { createMetrics, type Metrics } from './ops/metrics.ts'
import { createReadiness } from './ops/readiness.ts'
import { NO_SELF_CHECK, type WatchedSelfCheck, watchSelfCheck } from './ops/self-check.ts'
import { watchStats } from './ops/stats-metrics.ts'
import type { Tracing } from './ops/tracing/tracing.ts'
import type { Worker } from './processes/worker.ts'
import { createRuleBook } from './reviews/rule-book.ts'
import type { Foundation } from './services.ts'
import { BACKGROUND, type Closers, closeAll } from './startup/closers.ts'
import { type Database, openDatabase } from './startup/database.ts'
import { openDisk } from './startup/disk.ts'
import { initialise } from './startup/initialise.ts'
import { readInstallation } from './startup/installation-files.ts'
import { installationSecret } from './startup/master-key.ts'
import { openVault } from './startup/root-key.ts'
import { createDeliveryQueue } from './store/postgres/delivery-queue.ts'
import { CHANNELS } from './store/postgres/listen.ts'
import type { DatabaseLimits } from './store/postgres/pool.ts'

export interface Service {
  /** The public address. */
  readonly url: string
  /** Where it really listens: the same without STANDING_BASE_URL. */
  readonly listensOn: string
  /** The one-time link to the first operator key; null once it was used. */
  readonly setupUrl: string | null
  /**
   * Serves what was accepted, finishes what runs, and closes the database, in bounded time. False where
   * something did not end and was left behind.
   */
  close(options?: CloseOptions): Promise<boolean>
}

export interface ServiceOptions {
  /** Milliseconds since the epoch. Defaults to the system's clock. */
  readonly now?: () => number
  /** Defaults to the recommended cost. */
  readonly passwordCost?: PasswordCost | undefined
  /** How often this node looks for work that requests left to it. Defaults to a second. */
  readonly backgroundMs?: number | undefined
  /** How long this node waits for its database, where that differs from `LIMITS`. */
  readonly databaseLimits?: Partial<DatabaseLimits> | undefined
  /** Given where this process is one of several that serve one address. */
  readonly worker?: Worker | null
}

/** Attempts in flight have five seconds, and the database has the rest to record them. */
const DELIVERIES_LEFT_AFTER_MS = 5_500

/** Opens the service as configured. When a part fails, those opened before it are closed again. */
export async function openService(
  config: Config,
  log: Log,
  options: ServiceOptions = {},
): Promise<Service> {
  const closers: Closers = []
  const close = (options: CloseOptions = {}) => closeAll(closers, log, options)
  try {
    const schedule = backgroundSchedule(options.backgroundMs)
    const start = { config, log, options, schedule, closers }
    return { ...(await listen(start, await openParts(start))), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Start {
  readonly config: Config
  readonly log: Log
  readonly options: ServiceOptions
  readonly schedule: BackgroundSchedule
  readonly closers: Closers
}

/** What is open before the service listens. */
interface Parts {
  readonly context: Foundation
  readonly database: Database
  readonly disk: DiskGuard
  readonly passwordRules: PasswordRules
  readonly setup: Setup
  readonly metrics: Metrics
  readonly tracing: Tracing | null
  readonly selfCheck: WatchedSelfCheck
}

async function openParts({ config, log, options, closers }: Start): Promise<Parts> {
  const now = createClock(options.now ?? Date.now)
  const masterKey = await installationSecret(config)
  const newId = createIds()
  const disk = await openDisk(config, log, closers)
  const { worker = null } = options
  const tracing = await openTracing(config, log)
  closers.push({ ...BACKGROUND, name: 'tracing', close: async () => tracing?.close() })
  const database = await openDatabase({ config, log, closers }, newId, {
    onPool: tracing?.watchPool,
    isOwner: worker === null,
    limits: options.databaseLimits,
  })
  const { store } = database
  const vault = await openVault(store, masterKey)
  const cursors = createCursors(vault.key('cursors'))
  const rules = createRuleBook({ vault, now })
  const context: Foundation = { store, vault, cursors, now, newId, settings: config, rules }
  const passwordRules = await openPasswordRules(config, closers)
  await applyOperatorKey(store, context, config.operatorKey)
  await initialise({ ...context, passwordRules }, config.init, log)
  const setup = await createSetup(context, config.operatorKey, worker?.setupToken)
  const metrics = createMetrics(worker?.number)
  // One of several processes on a machine is enough.
  const isChecking = config.selfCheck && (worker?.number ?? 1) === 1
  const selfCheck = isChecking ? watchSelfCheck(store, metrics, log) : NO_SELF_CHECK
  closers.push({ ...BACKGROUND, name: 'self-check', close: () => selfCheck.close() })
  const parts = { context, database, disk, passwordRules, setup, metrics, tracing, selfCheck }
  watch(parts, log)
  return parts
}

/** Shows the state of the parts in the metrics. */
function watch({ context, database, disk, metrics, tracing }: Parts, log: Log): void {
  tracing?.watch(metrics)
  watchDatabase(metrics, database.pools, database.changes)
  watchStats(metrics, {
    stats: context.store.stats,
    now: context.now,
    onError: (err) => log.debug({ err }, 'the figures for the metrics were not read'),
  })
  watchDisk(metrics, disk)
}

async function listen(start: Start, parts: Parts): Promise<Omit<Service, 'close'>> {
  const { config, log, options, schedule, closers } = start
  const { context, database, disk, setup, metrics, tracing, passwordRules, selfCheck } = parts
  // Tokens and links hold the address, which is known once the server has its port.
  let server: HttpServer | null = null
  const listensOn = () => `http://${hostInUrl(config.host)}:${server?.port}`
  const baseUrl = () => config.baseUrl ?? listensOn()
  metrics.gauge('standing_http_connections', 'Open connections of clients', () => {
    return server?.connections() ?? 0
  })
  let isDraining = false
  const databaseProblem = createReadiness({ ping: database.ping })
  const app = await createApp({
    ...(await readInstallation()),
    context,
    disk,
    setup,
    metrics,
    tracing,
    passwordRules,
    log,
    baseUrl,
    changes: database.changes,
    publicUrl: config.baseUrl,
    operatorKey: config.operatorKey,
    trustProxy: config.trustProxy,
    passwordCost: options.passwordCost,
    schedule,
    requestLog: config.requestLog,
    isDraining: () => isDraining,
    degraded: () => refusesWrites(disk) ?? selfCheck.problem(),
    notReady: async () => (isDraining ? 'shutting down' : databaseProblem()),
    worker: options.worker ?? null,
    onChange: database.changes.publish,
    linkedNodes: database.linkedNodes,
  })
  closers.push({ name: 'quotas', close: () => app.close() })
  closers.push({ ...BACKGROUND, name: 'background tasks', close: () => app.closeBackground() })
  const isProxy = (address: string) => isTrusted(address, config.trustProxy)
  const { newId } = context
  server = await serve(app.handle, { newId, basePath: app.basePath }, { ...config, isProxy })
  const stopDelivery = startDelivery(start, parts)
  closers.push({ leftAfterMs: DELIVERIES_LEFT_AFTER_MS, name: 'deliveries', close: stopDelivery })
  closers.push({ name: 'reports of other processes', close: () => app.closeReporting() })
  closers.push({
    name: 'requests',
    async close(closing) {
      isDraining = true
      app.endStreams()
      // Both at the same time. It is waited for as the next part.
      stopDelivery().catch(() => {})
      await server?.close(closing)
    },
  })
  const setupUrl = setup.token === null ? null : `${baseUrl()}/setup?token=${setup.token}`
  return { url: baseUrl(), listensOn: listensOn(), setupUrl }
}

async function openPasswordRules(config: Config, closers: Closers): Promise<PasswordRules> {
  const { passwordCheck: refusesGuessable, breachedPasswords: path, baseUrl } = config
  const breached = path === null ? null : await openBreachedPasswords(path)
  closers.push({ ...BACKGROUND, name: 'breached passwords', close: async () => breached?.close() })
  const host = baseUrl === null ? config.host : new URL(baseUrl).hostname
  return createPasswordRules({ refusesGuessable, host, breached })
}

/** Loaded only where it is asked for. */
async function openTracing({ tracing }: Config, log: Log): Promise<Tracing | null> {
  if (tracing === null) {
    return null
  }
  const { startTracing } = await import('./ops/tracing/tracing.ts')
  return startTracing(tracing, ABOUT.version, log)
}

function refusesWrites(disk: DiskGuard): string | null {
  const problem = disk.problem()
  return problem && `${problem}: writes are refused`
}

/** Delivers webhooks; returns what stops it. */
function startDelivery(
  { config, log, options, schedule }: Start,
  { database, context, metrics, tracing }: Parts,
): () => Promise<void> {
  const { pool, listener } = database
  const mailer = config.mail && createMailSender(config.mail)
  const queue = createDeliveryQueue(pool, context.newId())
  const deliverer = startDeliverer({
    sendMail: mailer?.send ?? null,
    queue,
    subscribe: (wake) => listener.subscribe(CHANNELS.deliveries, { notified: wake, missed: wake }),
    changes: database.changes,
    open: context.vault.open,
    allow: config.webhookAllow,
    dnsServers: config.dnsServers,
    // By default, what is sent falls due by the database's clock.
    now: options.now ? context.now : queue.now,
    keptDays: config.retention.deliveries,
    pruning: schedule.deliveries,
    ...(tracing && { around: tracing.attempt }),
    onAttempt: metrics.attempted,
    onError: (error) => log.warn({ err: error }, 'webhook delivery failed; it is tried again'),
  })
  let stopped: Promise<void> | null = null
  return () => {
    stopped ??= deliverer.close().finally(() => mailer?.close())
    return stopped
  }
}

/** An address that a browser can open: one that stands for every interface becomes this machine's. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') {
    return 'localhost'
  }
  return host.includes(':') ? `[${host}]` : host
}

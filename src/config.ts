import type { BlockList } from 'node:net'
import { operatorKey, secretKey, sessionIdleMs } from './settings/access.ts'
import { databaseUrl, otherDatabaseUrl } from './settings/database.ts'
import { dataDir, diskFreeMinBytes } from './settings/disk.ts'
import { type FirstAccounts, firstAccounts } from './settings/first-accounts.ts'
import { type MailSettings, mailSettings } from './settings/mail.ts'
import { baseUrl, chainRpc, dnsServers, trustedProxies, webhookAllow } from './settings/network.ts'
import { type OidcSettings, oidcSettings } from './settings/oidc.ts'
import { type RetentionSettings, retentionSettings } from './settings/retention.ts'
import { checkSpelling } from './settings/spelling.ts'
import { LOG_LEVELS, REGISTRATION_MODES, type RegistrationMode } from './settings/table.ts'
import { type TracingSettings, tracingSettings } from './settings/tracing.ts'
import { choice, type Environment, isOn, settingsIn, wholeNumber } from './settings/values.ts'

/** Every setting, read once. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl: string | null
  /** The address of the database itself, where DATABASE_URL names a pooler; otherwise null. */
  readonly databaseDirectUrl: string | null
  /** A replica of it, for lists that may lag; null for none. */
  readonly databaseReplicaUrl: string | null
  /** Whether nodes notify each other of changes through the database. */
  readonly notify: boolean
  readonly baseUrl: string | null
  readonly operatorKey: string | null
  /** Who may open an account. */
  readonly registration: RegistrationMode
  /** How long a session may be unused; null for as long as its token lasts. */
  readonly sessionIdleMs: number | null
  /** The mail server and the sender; null where the service sends no mail. */
  readonly mail: MailSettings | null
  /** The OpenID Connect provider; null for none. */
  readonly oidc: OidcSettings | null
  /** Whether new passwords that are easy to guess are refused. */
  readonly passwordCheck: boolean
  /** A file of SHA-1 hashes of breached passwords; null for none. */
  readonly breachedPasswords: string | null
  /** What the first start of an installation creates without a person. */
  readonly init: FirstAccounts
  readonly secretKey: Uint8Array | null
  readonly retention: RetentionSettings
  readonly eventsPerAgentHour: number
  readonly eventsPerPlatformHour: number
  readonly occurredAtDays: number
  readonly rateLimits: boolean
  readonly webhookAllow: readonly string[]
  readonly dnsServers: readonly string[]
  readonly chainRpc: ReadonlyMap<string, string>
  readonly leaderboard: boolean
  readonly trustProxy: BlockList
  /** Writes are refused when less is free on the disk of the data directory; null where it is not watched. */
  readonly diskFreeMinBytes: number | null
  /** Whether agents are compared with their logs while the service serves. */
  readonly selfCheck: boolean
  /** Processes that serve. */
  readonly workers: number
  /** How long requests are still served after SIGTERM. */
  readonly shutdownGraceMs: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
  /** Whether each request is logged. */
  readonly requestLog: boolean
  /** Where traces are sent; null for nowhere. */
  readonly tracing: TracingSettings | null
  readonly production: boolean
}

/**
 * Reads the settings: flags win over the environment.
 *
 * @throws UserError that says which of them is wrong and what it should be
 */
export function readConfig(env: Environment, args: readonly string[] = []): Config {
  checkSpelling(env)
  const get = settingsIn(env, args)
  return {
    port: wholeNumber(get, 'PORT'),
    host: get('HOST') ?? '127.0.0.1',
    dataDir: dataDir(get),
    databaseUrl: databaseUrl(get),
    databaseDirectUrl: otherDatabaseUrl(get, 'DATABASE_DIRECT_URL'),
    databaseReplicaUrl: otherDatabaseUrl(get, 'DATABASE_REPLICA_URL'),
    notify: isOn(get, 'STANDING_NOTIFY'),
    baseUrl: baseUrl(get),
    operatorKey: operatorKey(get),
    registration: choice(get, 'STANDING_REGISTRATION', REGISTRATION_MODES, 'open'),
    sessionIdleMs: sessionIdleMs(get),
    mail: mailSettings(get),
    oidc: oidcSettings(get),
    passwordCheck: isOn(get, 'STANDING_PASSWORD_CHECK'),
    breachedPasswords: get('STANDING_BREACHED_PASSWORDS'),
    init: firstAccounts(get),
    secretKey: secretKey(get),
    retention: retentionSettings(get),
    eventsPerAgentHour: wholeNumber(get, 'STANDING_EVENTS_PER_AGENT_HOUR'),
    eventsPerPlatformHour: wholeNumber(get, 'STANDING_EVENTS_PER_PLATFORM_HOUR'),
    occurredAtDays: wholeNumber(get, 'STANDING_OCCURRED_AT_DAYS'),
    rateLimits: isOn(get, 'STANDING_RATE_LIMITS'),
    webhookAllow: webhookAllow(get),
    dnsServers: dnsServers(get),
    chainRpc: chainRpc(get),
    leaderboard: isOn(get, 'STANDING_LEADERBOARD'),
    trustProxy: trustedProxies(get),
    diskFreeMinBytes: diskFreeMinBytes(get),
    selfCheck: isOn(get, 'STANDING_SELF_CHECK'),
    workers: wholeNumber(get, 'STANDING_CLUSTER'),
    shutdownGraceMs: wholeNumber(get, 'STANDING_SHUTDOWN_GRACE') * 1_000,
    logLevel: choice(get, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    tracing: tracingSettings(env),
    requestLog: isOn(get, 'STANDING_REQUEST_LOG'),
    production: env.NODE_ENV === 'production',
  }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/

/** What is valid and yet does not work for people at other machines; null for nothing. */
export function settingsProblem({ baseUrl, host, mail, oidc, production }: Config): string | null {
  const isForOthers = production || !LOOPBACK.test(host)
  return baseUrl === null && isForOthers && (mail ?? oidc) !== null
    ? 'STANDING_BASE_URL is not set, so links in mails and the way back from the provider lead to this machine'
    : null
}

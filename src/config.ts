import { BlockList, isIP } from 'node:net'
import { parseArguments } from './lib/arguments.ts'
import { SECRET_BYTES } from './lib/secret-bytes.ts'
import { nearest } from './lib/spelling.ts'
import { UserError } from './lib/user-error.ts'
import { type TracingSettings, tracingSettings } from './ops/tracing/settings.ts'

/** Every setting, read once. Flags win over the environment. */
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
  readonly registration: (typeof REGISTRATION_MODES)[number]
  /** How long a session may be unused; null for as long as its token lasts. */
  readonly sessionIdleMs: number | null
  /** The mail server and the sender; null where the service sends no mail. */
  readonly mail: { readonly url: string; readonly from: string } | null
  /** The OpenID Connect provider; null for none. */
  readonly oidc: OidcSettings | null
  /** Whether new passwords that are easy to guess are refused. */
  readonly passwordCheck: boolean
  /** A file of SHA-1 hashes of breached passwords; null for none. */
  readonly breachedPasswords: string | null
  /** What the first start of an installation creates without a person. */
  readonly init: Init
  readonly secretKey: Uint8Array | null
  /** Days for which things are kept; null keeps them without limit. */
  readonly retention: {
    readonly texts: number | null
    readonly audit: number | null
    readonly deliveries: number
    readonly archive: number | null
    readonly snapshots: number | null
  }
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
  readonly logLevel: LogLevel
  /** Whether each request is logged. */
  readonly requestLog: boolean
  /** Where traces are sent; null for nowhere. */
  readonly tracing: TracingSettings | null
  readonly production: boolean
}

export interface Init {
  readonly owner: {
    readonly email: string
    readonly password: string
    /** `avw_…`; null for none. */
    readonly key: string | null
  } | null
  readonly platform: { readonly name: string; readonly key: string } | null
}

interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  /** How the log-in page names the provider. */
  readonly name: string
  readonly scopes: string
  /** The ID token must name one of these as `acr`, and each of those in `amr`. */
  readonly acr: readonly string[]
  readonly amr: readonly string[]
}

const REGISTRATION_MODES = ['open', 'invite', 'closed'] as const

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

interface Setting {
  readonly name: string
  readonly flag: string
  readonly help: string
}

/** The settings as `--help` lists them. */
export const SETTINGS: readonly Setting[] = [
  { name: 'PORT', flag: 'port', help: 'port to listen on; 0 picks a free one (8080)' },
  { name: 'HOST', flag: 'host', help: 'address to listen on (127.0.0.1)' },
  { name: 'STANDING_DATA_DIR', flag: 'data-dir', help: 'where everything is kept (.standing)' },
  { name: 'DATABASE_URL', flag: 'database-url', help: 'use this PostgreSQL, 15 or newer' },
  {
    name: 'DATABASE_DIRECT_URL',
    flag: 'database-direct-url',
    help: 'the same without the pooler that DATABASE_URL names',
  },
  {
    name: 'DATABASE_REPLICA_URL',
    flag: 'database-replica-url',
    help: 'a replica of it, for lists that may lag',
  },
  {
    name: 'STANDING_NOTIFY',
    flag: 'notify',
    help: 'off: nodes see the changes of others within a second, without LISTEN (on)',
  },
  {
    name: 'STANDING_BASE_URL',
    flag: 'base-url',
    help: 'where the service is reached from outside',
  },
  {
    name: 'STANDING_OPERATOR_KEY',
    flag: 'operator-key',
    help: "avo_…, accepted as the operator's",
  },
  {
    name: 'STANDING_REGISTRATION',
    flag: 'registration',
    help: `who may open an account: ${REGISTRATION_MODES.join(', ')} (open)`,
  },
  {
    name: 'STANDING_SESSION_IDLE',
    flag: 'session-idle',
    help: 'minutes without a request after which a log-in ends; 0 for never (0)',
  },
  { name: 'SMTP_URL', flag: 'smtp-url', help: 'smtp://user:password@host:port; mails links' },
  { name: 'STANDING_MAIL_FROM', flag: 'mail-from', help: 'sender of mails; needed with SMTP_URL' },
  {
    name: 'STANDING_OIDC_ISSUER',
    flag: 'oidc-issuer',
    help: 'OpenID Connect provider: its issuer',
  },
  { name: 'STANDING_OIDC_CLIENT_ID', flag: 'oidc-client-id', help: 'client id at that provider' },
  {
    name: 'STANDING_OIDC_CLIENT_SECRET',
    flag: 'oidc-client-secret',
    help: 'its secret, if it has one',
  },
  { name: 'STANDING_OIDC_NAME', flag: 'oidc-name', help: 'name of the provider (single sign-on)' },
  {
    name: 'STANDING_OIDC_SCOPES',
    flag: 'oidc-scopes',
    help: 'scopes to ask for (openid email profile)',
  },
  {
    name: 'STANDING_OIDC_ACR',
    flag: 'oidc-acr',
    help: 'acr values, one of which a log-in must have',
  },
  {
    name: 'STANDING_OIDC_AMR',
    flag: 'oidc-amr',
    help: 'methods (amr), each of which a log-in must have: mfa',
  },
  {
    name: 'STANDING_PASSWORD_CHECK',
    flag: 'password-check',
    help: 'on or off: refuses new passwords that are easy to guess (off)',
  },
  {
    name: 'STANDING_BREACHED_PASSWORDS',
    flag: 'breached-passwords',
    help: 'file of SHA-1 hashes, in order, of passwords to refuse',
  },
  {
    name: 'STANDING_RETENTION',
    flag: 'retention',
    help: 'days: texts=365,audit=730,deliveries=30,archive=180,snapshots=90 (all but deliveries off)',
  },
  {
    name: 'STANDING_INIT_OWNER_EMAIL',
    flag: 'init-owner-email',
    help: 'first owner, created once',
  },
  {
    name: 'STANDING_INIT_OWNER_PASSWORD',
    flag: 'init-owner-password',
    help: "that owner's password",
  },
  {
    name: 'STANDING_INIT_OWNER_KEY',
    flag: 'init-owner-key',
    help: "avw_…, an API key for that owner's account (standing key new owner)",
  },
  { name: 'STANDING_INIT_PLATFORM_NAME', flag: 'init-platform-name', help: 'first platform' },
  {
    name: 'STANDING_INIT_PLATFORM_KEY',
    flag: 'init-platform-key',
    help: "avp_…, that platform's key (standing key new platform)",
  },
  { name: 'STANDING_SECRET_KEY', flag: 'secret-key', help: 'base64 of 32 bytes; encrypts secrets' },
  {
    name: 'STANDING_EVENTS_PER_AGENT_HOUR',
    flag: 'events-per-agent-hour',
    help: 'events taken about one agent in an hour (100)',
  },
  {
    name: 'STANDING_EVENTS_PER_PLATFORM_HOUR',
    flag: 'events-per-platform-hour',
    help: 'events taken from one platform in an hour (1000)',
  },
  {
    name: 'STANDING_OCCURRED_AT_DAYS',
    flag: 'occurred-at-days',
    help: 'how far back occurredAt may lie (30)',
  },
  { name: 'STANDING_RATE_LIMITS', flag: 'rate-limits', help: 'on or off (on)' },
  {
    name: 'STANDING_WEBHOOK_ALLOW',
    flag: 'webhook-allow',
    help: 'CIDRs that webhooks and proofs of identifiers may reach besides public ones',
  },
  {
    name: 'STANDING_DNS_SERVERS',
    flag: 'dns-servers',
    help: "DNS servers for them, in place of the machine's: 9.9.9.9,127.0.0.1:5353",
  },
  {
    name: 'STANDING_CHAIN_RPC',
    flag: 'chain-rpc',
    help: 'JSON-RPC endpoints that prove erc8004 identifiers: eip155:1=https://…',
  },
  {
    name: 'STANDING_LEADERBOARD',
    flag: 'leaderboard',
    help: 'on or off: /agents lists the best public agents (off)',
  },
  {
    name: 'STANDING_TRUST_PROXY',
    flag: 'trust-proxy',
    help: 'CIDRs whose X-Forwarded-For is trusted',
  },
  {
    name: 'STANDING_DISK_FREE_MIN',
    flag: 'disk-free-min',
    help: 'MiB below which writes are refused; 0 for never (256)',
  },
  {
    name: 'STANDING_SELF_CHECK',
    flag: 'self-check',
    help: 'on or off: compares agents with their logs while serving (on)',
  },
  {
    name: 'STANDING_CLUSTER',
    flag: 'cluster',
    help: 'processes that serve, one for each core to use (1)',
  },
  {
    name: 'STANDING_SHUTDOWN_GRACE',
    flag: 'shutdown-grace',
    help: 'seconds that requests are still served after SIGTERM (3)',
  },
  {
    name: 'LOG_LEVEL',
    flag: 'log-level',
    help: `${LOG_LEVELS.join(', ')} (info; in a terminal warn)`,
  },
  {
    name: 'STANDING_REQUEST_LOG',
    flag: 'request-log',
    help: 'on or off: logs each request with its id at info (off)',
  },
]

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings, or says which of them is wrong and what it should be. */
export function readConfig(env: Environment, args: readonly string[] = []): Config {
  checkSpelling(env)
  const flags = readFlags(args)
  const get = (name: string): string | null => flags.get(name) ?? (env[name] || null)
  const number = (name: string, ifAbsent: number, min: number, max: number): number => {
    const text = get(name)
    if (text === null) {
      return ifAbsent
    }
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) {
      return value
    }
    throw new UserError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
  }
  const choice = <T extends string>(name: string, ifAbsent: T, of: readonly T[]): T => {
    const text = get(name) ?? ifAbsent
    const found = of.find((one) => one === text)
    if (found) {
      return found
    }
    throw new UserError(`${name} must be one of ${of.join(', ')}, not "${text}".`)
  }
  const besideUrl = (name: string): string | null => {
    const url = databaseUrl(name, get(name))
    if (url !== null && get('DATABASE_URL') === null) {
      throw new UserError(`${name} needs DATABASE_URL, which is not set.`)
    }
    return url
  }
  return {
    port: number('PORT', 8080, 0, 65_535),
    host: get('HOST') ?? '127.0.0.1',
    dataDir: get('STANDING_DATA_DIR') ?? '.standing',
    databaseUrl: databaseUrl('DATABASE_URL', get('DATABASE_URL')),
    databaseDirectUrl: besideUrl('DATABASE_DIRECT_URL'),
    databaseReplicaUrl: besideUrl('DATABASE_REPLICA_URL'),
    notify: choice('STANDING_NOTIFY', 'on', ['on', 'off']) === 'on',
    baseUrl: baseUrl(get('STANDING_BASE_URL')),
    operatorKey: operatorKey(get('STANDING_OPERATOR_KEY')),
    registration: choice('STANDING_REGISTRATION', 'open', REGISTRATION_MODES),
    sessionIdleMs: sessionIdle(number('STANDING_SESSION_IDLE', 0, 0, DAY_MINUTES)),
    mail: mail(get('SMTP_URL'), get('STANDING_MAIL_FROM')),
    oidc: oidc(get),
    passwordCheck: choice('STANDING_PASSWORD_CHECK', 'off', ['on', 'off']) === 'on',
    breachedPasswords: get('STANDING_BREACHED_PASSWORDS'),
    init: init(get),
    secretKey: secretKey(get('STANDING_SECRET_KEY')),
    retention: retention(get('STANDING_RETENTION')),
    eventsPerAgentHour: number('STANDING_EVENTS_PER_AGENT_HOUR', 100, 1, 1_000_000_000),
    eventsPerPlatformHour: number('STANDING_EVENTS_PER_PLATFORM_HOUR', 1_000, 1, 1_000_000_000),
    occurredAtDays: number('STANDING_OCCURRED_AT_DAYS', 30, 1, 36_500),
    rateLimits: choice('STANDING_RATE_LIMITS', 'on', ['on', 'off']) === 'on',
    webhookAllow: cidrs('STANDING_WEBHOOK_ALLOW', get('STANDING_WEBHOOK_ALLOW')),
    dnsServers: dnsServers(get('STANDING_DNS_SERVERS')),
    chainRpc: chainRpc(get('STANDING_CHAIN_RPC')),
    leaderboard: choice('STANDING_LEADERBOARD', 'off', ['on', 'off']) === 'on',
    trustProxy: blockList(cidrs('STANDING_TRUST_PROXY', get('STANDING_TRUST_PROXY'))),
    diskFreeMinBytes: diskFreeMin(
      // A database elsewhere has another disk, unless the operator sets a limit for this one.
      number('STANDING_DISK_FREE_MIN', get('DATABASE_URL') === null ? 256 : 0, 0, 1_000_000_000),
    ),
    selfCheck: choice('STANDING_SELF_CHECK', 'on', ['on', 'off']) === 'on',
    workers: number('STANDING_CLUSTER', 1, 1, 64),
    shutdownGraceMs: number('STANDING_SHUTDOWN_GRACE', 3, 0, 600) * 1_000,
    logLevel: choice('LOG_LEVEL', 'info', LOG_LEVELS),
    tracing: tracingSettings(env),
    requestLog: choice('STANDING_REQUEST_LOG', 'off', ['on', 'off']) === 'on',
    production: env.NODE_ENV === 'production',
  }
}

/** Variables of the clients, which a service may see in its environment too. */
const CLIENT_SETTINGS = ['STANDING_URL', 'STANDING_TOKEN', 'STANDING_API_KEY']

/** Letters by which a misspelt name differs at most from the right one. */
const SLIPS_MAX = 2

/** A variable that looks like a misspelt setting, and the closest setting, if there is one. */
export interface StrayVariable {
  readonly name: string
  readonly meant: string | null
}

export function strayVariables(env: Environment): readonly StrayVariable[] {
  const known = [...SETTINGS.map(({ name }) => name), ...CLIENT_SETTINGS]
  return Object.keys(env)
    .filter((name) => name.startsWith('STANDING_') && !known.includes(name))
    .map((name) => {
      return { name, meant: nearest(name, known, SLIPS_MAX) ?? null }
    })
}

/**
 * A misspelt setting would be ignored. A name that resembles no setting belongs to another program.
 *
 * @throws UserError
 */
export function checkSpelling(env: Environment): void {
  const misspelt = strayVariables(env).filter(({ meant }) => meant !== null)
  if (misspelt.length > 0) {
    const sentences = misspelt.map(
      ({ name, meant }) => `${name} is not a setting. Did you mean ${meant}?`,
    )
    throw new UserError(sentences.join(' '))
  }
}

/** The settings that are given as flags, by their names. */
function readFlags(args: readonly string[]): ReadonlyMap<string, string> {
  const known = SETTINGS.map(({ flag, name }) => ({ name: flag, value: name }))
  const { words, options } = parseArguments(args, known)
  if (words[0] !== undefined) {
    throw new UserError(`Unexpected argument: ${words[0]}. --help lists the options.`)
  }
  return new Map(
    SETTINGS.flatMap(({ name, flag }) => {
      const value = options[flag]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

function diskFreeMin(mebibytes: number): number | null {
  return mebibytes === 0 ? null : mebibytes * 1024 ** 2
}

function databaseUrl(name: string, text: string | null): string | null {
  if (text === null || /^postgres(ql)?:\/\//.test(text)) {
    return text
  }
  throw new UserError(`${name} must read postgres://user:password@host:port/database.`)
}

function baseUrl(text: string | null): string | null {
  if (text === null) {
    return null
  }
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) {
    return text.replace(/\/+$/, '')
  }
  throw new UserError('STANDING_BASE_URL must be an http or https address: https://example.com.')
}

/** Set by hand, so it has no checksum; it is too long to guess. */
function operatorKey(text: string | null): string | null {
  if (text === null || /^avo_[\x21-\x7e]{32,}$/.test(text)) {
    return text
  }
  throw new UserError('STANDING_OPERATOR_KEY must be avo_ followed by at least 32 characters.')
}

/** A token lasts a day, so a longer time would never pass. */
const DAY_MINUTES = 24 * 60

/** Uses are stored once a minute: a shorter time could not be kept. */
const IDLE_MINUTES_MIN = 5

function sessionIdle(minutes: number): number | null {
  if (minutes > 0 && minutes < IDLE_MINUTES_MIN) {
    throw new UserError(
      `STANDING_SESSION_IDLE must be at least ${IDLE_MINUTES_MIN} minutes, or 0 for never.`,
    )
  }
  return minutes === 0 ? null : minutes * 60_000
}

/** Both or neither: a mail server refuses mail without a sender. */
function mail(url: string | null, from: string | null): Config['mail'] {
  if (url === null && from === null) {
    return null
  }
  if (url === null || !/^smtps?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    throw new UserError('SMTP_URL must read smtp://user:password@host:port, or smtps:// for TLS.')
  }
  if (from === null || !/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/.test(from)) {
    throw new UserError('STANDING_MAIL_FROM must be the sender of mails: standing@example.com.')
  }
  return { url, from }
}

/**
 * The fewest days of each. A public profile shows the last 90 days, which are counted before events are
 * archived; changes of the last 30 days are explained from one snapshot to another.
 */
const RETENTION_DAYS = { texts: 1, audit: 1, deliveries: 1, archive: 91, snapshots: 31 } as const

/** `texts=365,archive=180`: data that is not named is kept without limit, but deliveries for thirty days. */
function retention(text: string | null): Config['retention'] {
  const days = new Map<string, number>()
  for (const part of text?.split(',') ?? []) {
    const [, what = '', number = ''] = /^\s*([a-z]+)=(\d{1,5})\s*$/.exec(part) ?? []
    const least = new Map<string, number>(Object.entries(RETENTION_DAYS)).get(what)
    if (least === undefined || days.has(what)) {
      throw new UserError(
        `STANDING_RETENTION must name each of ${Object.keys(RETENTION_DAYS).join(', ')} once at most, ` +
          `with its days: texts=365,audit=730,archive=180. This is not so: "${part.trim()}".`,
      )
    }
    if (Number(number) < least) {
      throw new UserError(
        `STANDING_RETENTION: ${what} must be at least ${least} ${least === 1 ? 'day' : 'days'}.`,
      )
    }
    days.set(what, Number(number))
  }
  const of = (what: keyof typeof RETENTION_DAYS) => days.get(what) ?? null
  return {
    texts: of('texts'),
    audit: of('audit'),
    deliveries: of('deliveries') ?? DELIVERY_DAYS,
    archive: of('archive'),
    snapshots: of('snapshots'),
  }
}

/** As docs/webhooks.md says. */
const DELIVERY_DAYS = 30

function oidc(get: (name: string) => string | null): OidcSettings | null {
  const issuer = get('STANDING_OIDC_ISSUER')
  const clientId = get('STANDING_OIDC_CLIENT_ID')
  const clientSecret = get('STANDING_OIDC_CLIENT_SECRET')
  if (issuer === null && clientId === null && clientSecret === null) {
    return null
  }
  if (issuer === null || clientId === null) {
    throw new UserError('STANDING_OIDC_ISSUER and STANDING_OIDC_CLIENT_ID are set together.')
  }
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLocal)) {
    throw new UserError('STANDING_OIDC_ISSUER must be an https address; http only on this machine.')
  }
  const scopes = get('STANDING_OIDC_SCOPES') ?? 'openid email profile'
  if (!scopes.split(' ').includes('openid')) {
    throw new UserError('STANDING_OIDC_SCOPES must have openid among its scopes.')
  }
  const name = get('STANDING_OIDC_NAME') ?? 'single sign-on'
  const acr = words(get('STANDING_OIDC_ACR'))
  const amr = words(get('STANDING_OIDC_AMR'))
  return { issuer, clientId, clientSecret, name, scopes, acr, amr }
}

function words(text: string | null): readonly string[] {
  return (text ?? '').split(' ').filter((word) => word !== '')
}

/** Each part completely or not at all: half of one would leave an account without access. */
function init(get: (name: string) => string | null): Init {
  const [email, password, key] = ['EMAIL', 'PASSWORD', 'KEY'].map((name) =>
    get(`STANDING_INIT_OWNER_${name}`),
  )
  const name = get('STANDING_INIT_PLATFORM_NAME')
  const platformKey = get('STANDING_INIT_PLATFORM_KEY')
  if (Boolean(email) !== Boolean(password) || (key && !email)) {
    throw new UserError(
      'STANDING_INIT_OWNER_EMAIL and STANDING_INIT_OWNER_PASSWORD are set together.',
    )
  }
  if (Boolean(name) !== Boolean(platformKey)) {
    throw new UserError(
      'STANDING_INIT_PLATFORM_NAME and STANDING_INIT_PLATFORM_KEY are set together.',
    )
  }
  return {
    owner: email && password ? { email, password, key: key ?? null } : null,
    platform: name && platformKey ? { name, key: platformKey } : null,
  }
}

function secretKey(text: string | null): Uint8Array | null {
  if (text === null) {
    return null
  }
  const bytes = Buffer.from(text, 'base64')
  if (/^[\w+/-]+={0,2}$/.test(text) && bytes.length === SECRET_BYTES) {
    return bytes
  }
  throw new UserError(
    'STANDING_SECRET_KEY must be 32 bytes in base64. Create one with: openssl rand -base64 32',
  )
}

/** `address` or `address:port`, an IPv6 address with a port in brackets. */
function dnsServers(text: string | null): readonly string[] {
  const all = listed(text)
  for (const server of all) {
    const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(server) ?? []
    if (isIP(bracketed ?? plain ?? server) === 0) {
      throw new UserError(
        `STANDING_DNS_SERVERS must list addresses (9.9.9.9 or 127.0.0.1:5353), not "${server}".`,
      )
    }
  }
  return all
}

/** `eip155:1=https://…`, separated by commas. */
function chainRpc(text: string | null): ReadonlyMap<string, string> {
  const entries = listed(text).map((entry) => {
    const [, chain, url] = /^(eip155:\d{1,32})=(https?:\/\/.+)$/.exec(entry) ?? []
    if (chain === undefined || url === undefined || !URL.canParse(url)) {
      throw new UserError(
        `STANDING_CHAIN_RPC must list chains and endpoints (eip155:1=https://…), not "${entry}".`,
      )
    }
    return [chain, url] as const
  })
  return new Map(entries)
}

function listed(text: string | null): readonly string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

function cidrs(name: string, text: string | null): readonly string[] {
  const all = listed(text)
  for (const cidr of all) {
    parseCidr(name, cidr)
  }
  return all
}

function blockList(all: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of all) {
    const { address, bits, family } = parseCidr('STANDING_TRUST_PROXY', cidr)
    list.addSubnet(address, bits, family)
  }
  return list
}

function parseCidr(name: string, cidr: string) {
  const [address = '', bitsText] = cidr.split('/', 2)
  const version = isIP(address)
  const bitsMax = version === 6 ? 128 : 32
  const bits = bitsText === undefined ? bitsMax : Number(bitsText)
  if (version === 0 || !Number.isInteger(bits) || bits < 0 || bits > bitsMax) {
    throw new UserError(`${name} must list addresses or CIDRs (10.0.0.0/8), not "${cidr}".`)
  }
  return { address, bits, family: version === 6 ? ('ipv6' as const) : ('ipv4' as const) }
}

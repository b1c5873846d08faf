/** Who may open an account: anyone, people whom the operator invited, or no one. */
export const REGISTRATION_MODES = ['open', 'invite', 'closed'] as const

export type RegistrationMode = (typeof REGISTRATION_MODES)[number]

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** What each setting does, as `--help` and the documentation of the command print it. In brackets: the default. */
const HELP = {
  PORT: 'port to listen on; 0 picks a free one (8080)',
  HOST: 'address to listen on (127.0.0.1)',
  STANDING_DATA_DIR: 'where everything is kept (.standing)',
  DATABASE_URL: 'use this PostgreSQL, 15 or newer',
  DATABASE_DIRECT_URL: 'the same without the pooler that DATABASE_URL names',
  DATABASE_REPLICA_URL: 'a replica of it, for lists that may lag',
  STANDING_NOTIFY: 'off: nodes see the changes of others within a second, without LISTEN (on)',
  STANDING_BASE_URL: 'where the service is reached from outside',
  STANDING_OPERATOR_KEY: "avo_…, accepted as the operator's",
  STANDING_REGISTRATION: `who may open an account: ${REGISTRATION_MODES.join(', ')} (open)`,
  STANDING_SESSION_IDLE: 'minutes without a request after which a sign-in ends; 0 for never (0)',
  SMTP_URL: 'smtp://user:password@host:port; mails links',
  STANDING_MAIL_FROM: 'sender of mails; needed with SMTP_URL',
  STANDING_OIDC_ISSUER: 'OpenID Connect provider: its issuer',
  STANDING_OIDC_CLIENT_ID: 'client id at that provider',
  STANDING_OIDC_CLIENT_SECRET: 'its secret, if it has one',
  STANDING_OIDC_NAME: 'name of the provider (single sign-on)',
  STANDING_OIDC_SCOPES: 'scopes to ask for (openid email profile)',
  STANDING_OIDC_ACR: 'acr values, one of which a sign-in must have',
  STANDING_OIDC_AMR: 'methods (amr), each of which a sign-in must have: mfa',
  STANDING_PASSWORD_CHECK: 'on or off: refuses new passwords that are easy to guess (off)',
  STANDING_BREACHED_PASSWORDS: 'file of SHA-1 hashes, in order, of passwords to refuse',
  STANDING_RETENTION:
    'days: texts=365,audit=730,deliveries=30,archive=180,snapshots=90 (all but deliveries off)',
  STANDING_INIT_OWNER_EMAIL: 'first owner, created once',
  STANDING_INIT_OWNER_PASSWORD: "that owner's password",
  STANDING_INIT_OWNER_KEY: "avw_…, an API key for that owner's account (standing key new owner)",
  STANDING_INIT_PLATFORM_NAME: 'first platform',
  STANDING_INIT_PLATFORM_KEY: "avp_…, that platform's key (standing key new platform)",
  STANDING_SECRET_KEY: 'base64 of 32 bytes; encrypts secrets',
  STANDING_EVENTS_PER_AGENT_HOUR: 'events an hour of one reporter about one agent (100)',
  STANDING_EVENTS_PER_PLATFORM_HOUR: 'events taken from one platform in an hour (1000)',
  STANDING_OCCURRED_AT_DAYS: 'how far back occurredAt may lie (30)',
  STANDING_RATE_LIMITS: 'on or off (on)',
  STANDING_WEBHOOK_ALLOW:
    'CIDRs that webhooks and proofs of identifiers may reach besides public ones',
  STANDING_DNS_SERVERS: "DNS servers for them, in place of the machine's: 9.9.9.9,127.0.0.1:5353",
  STANDING_CHAIN_RPC: 'JSON-RPC endpoints that prove erc8004 identifiers: eip155:1=https://…',
  STANDING_LEADERBOARD: 'on or off: /agents lists the best public agents (off)',
  STANDING_TRUST_PROXY: 'CIDRs whose X-Forwarded-For is trusted',
  STANDING_DISK_FREE_MIN: 'MiB below which writes are refused; 0 for never (256)',
  STANDING_SELF_CHECK: 'on or off: compares agents with their logs while serving (on)',
  STANDING_CLUSTER: 'processes that serve, one for each core to use (1)',
  STANDING_SHUTDOWN_GRACE: 'seconds that requests are still served after SIGTERM (3)',
  LOG_LEVEL: `${LOG_LEVELS.join(', ')} (info; in a terminal warn)`,
  STANDING_REQUEST_LOG: 'on or off: logs each request with its id at info (off)',
} as const satisfies Readonly<Record<string, string>>

/** A setting's name is its variable of the environment. */
export type SettingName = keyof typeof HELP

const SWITCH = 'on|off'

/** What the value of a flag is called in help texts, where it is more than a value. */
const VALUES: Readonly<Partial<Record<SettingName, string>>> = {
  PORT: 'PORT',
  HOST: 'HOST',
  STANDING_DATA_DIR: 'DIR',
  DATABASE_URL: 'URL',
  DATABASE_DIRECT_URL: 'URL',
  DATABASE_REPLICA_URL: 'URL',
  STANDING_NOTIFY: SWITCH,
  STANDING_BASE_URL: 'URL',
  STANDING_OPERATOR_KEY: 'avo_…',
  STANDING_REGISTRATION: 'MODE',
  STANDING_SESSION_IDLE: 'MINUTES',
  SMTP_URL: 'URL',
  STANDING_MAIL_FROM: 'EMAIL',
  STANDING_OIDC_ISSUER: 'URL',
  STANDING_PASSWORD_CHECK: SWITCH,
  STANDING_BREACHED_PASSWORDS: 'FILE',
  STANDING_INIT_OWNER_EMAIL: 'EMAIL',
  STANDING_INIT_OWNER_KEY: 'avw_…',
  STANDING_INIT_PLATFORM_NAME: 'NAME',
  STANDING_INIT_PLATFORM_KEY: 'avp_…',
  STANDING_SECRET_KEY: 'KEY',
  STANDING_EVENTS_PER_AGENT_HOUR: 'N',
  STANDING_EVENTS_PER_PLATFORM_HOUR: 'N',
  STANDING_OCCURRED_AT_DAYS: 'DAYS',
  STANDING_RATE_LIMITS: SWITCH,
  STANDING_LEADERBOARD: SWITCH,
  STANDING_DISK_FREE_MIN: 'MIB',
  STANDING_SELF_CHECK: SWITCH,
  STANDING_CLUSTER: 'N',
  STANDING_SHUTDOWN_GRACE: 'SECONDS',
  LOG_LEVEL: 'LEVEL',
  STANDING_REQUEST_LOG: SWITCH,
}

interface Setting {
  readonly name: SettingName
  /** Without dashes: `STANDING_DATA_DIR` is `--data-dir`. */
  readonly flag: string
  /** What its value is called: `--data-dir DIR`. */
  readonly value: string
  readonly help: string
}

/** The settings, in the order in which they are listed. */
export const SETTINGS: readonly Setting[] = Object.keys(HELP).map((key) => {
  const name = key as SettingName
  return { name, flag: flagOf(name), value: VALUES[name] ?? 'VALUE', help: HELP[name] }
})

function flagOf(name: SettingName): string {
  return name
    .replace(/^STANDING_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
}

import type pg from 'pg'
import type { Config } from '../../../src/config.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import { isTrusted } from '../../../src/http/address.ts'
import type { UntrustedProxy } from '../../../src/ops/proxy-watch.ts'
import { hasData } from '../../../src/startup/data-dir.ts'
import { existingSecret } from '../../../src/startup/master-key.ts'
import { opens, ROOT_KEY } from '../../../src/startup/root-key.ts'
import {
  backupIn,
  type InstallationRow,
  LATEST_BACKUP,
  LATEST_PROXY,
} from '../../../src/store/installation.ts'
import { migrationState, SERVER_VERSION_MIN } from '../../../src/store/postgres/migrate.ts'
import { type Server, withServer } from '../database.ts'
import { pooler, replica } from './addresses.ts'
import { type Finding, fails, fine, guarded, note } from './check.ts'
import { retention } from './retention.ts'
import { clock, connections, notifications, rights } from './server.ts'

/** The checks of a database that answers, in the order in which they are shown. */
const CHECKS = {
  rights: ({ pool }) => rights(pool),
  connections: ({ pool }) => connections(pool),
  clock: ({ pool }) => clock(pool),
  pooler: ({ pool }, config) => pooler(pool, config),
  replica: ({ pool }, config) => replica(pool, config),
  notifications: ({ connection }, config) => notifications(connection, config),
  migrations: ({ pool }) => migrations(pool),
  secret: ({ pool }, config) => secret(pool, config),
  proxy: ({ pool }, config) => proxy(pool, config),
  backup: ({ pool }) => backup(pool),
  retention: ({ pool }, config) => retention(pool, config),
} as const satisfies Readonly<Record<string, Check>>

type Check = (server: Server, config: Config) => Promise<Finding>

type Name = keyof typeof CHECKS

const NAMES = Object.keys(CHECKS) as readonly Name[]

/** Of the database itself, and of each of its checks. */
export type DatabaseFindings = Readonly<Record<'database' | Name, Finding>>

/** Checks that the database can be reached, fits this release, and was set up with this secret. */
export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  if (config.databaseUrl === null && !hasData(config.dataDir)) {
    const unchecked = note('not checked: there is no database yet')
    const secret = await secretAlone(config)
    return { database: WILL_BE_CREATED, ...(await findings(async () => unchecked)), secret }
  }
  try {
    return await withServer(config, async (server) => ({
      database: await version(server.pool),
      ...(await findings((name) => guarded(() => CHECKS[name](server, config)))),
    }))
  } catch (error) {
    const message = error instanceof Error ? error.message || String(error) : String(error)
    const fix = 'Start the server, and check host, port, user and password in DATABASE_URL.'
    const unknown = note('unknown: the database cannot be reached')
    return { database: fails(message, fix), ...(await findings(async () => unknown)) }
  }
}

/** A finding for each check, one after the other. */
async function findings(of: (name: Name) => Promise<Finding>): Promise<Record<Name, Finding>> {
  const all: Partial<Record<Name, Finding>> = {}
  for (const name of NAMES) {
    all[name] = await of(name)
  }
  return all as Record<Name, Finding>
}

async function version(pool: pg.Pool): Promise<Finding> {
  const { rows } = await pool.query<{ name: string; number: number }>(
    `select current_setting('server_version') as name,
       current_setting('server_version_num')::int as number`,
  )
  const { name = '?', number = 0 } = rows[0] ?? {}
  return number >= SERVER_VERSION_MIN
    ? fine(`PostgreSQL ${name} answers`)
    : fails(`PostgreSQL ${name} is too old`, 'Standing needs PostgreSQL 15 or newer.')
}

/** When the last backup was made with the command; a copy made by other means is not known here. */
async function backup(pool: pg.Pool): Promise<Finding> {
  const latest = backupIn(await installed(pool, LATEST_BACKUP))
  if (latest === null) {
    return note('none by `standing backup` yet', 'See the page "Operating", section "Backups".')
  }
  const days = Math.floor((Date.now() - latest.asOf) / DAY_MS)
  const finding = `the last one by \`standing backup\` was made ${new Date(latest.asOf).toISOString()}`
  return days < BACKUP_DAYS
    ? fine(finding)
    : note(finding, 'Make one every day; standing_last_backup_timestamp_seconds lets you watch it.')
}

/** Backups are made every night; one may be missed. */
const BACKUP_DAYS = 2

async function migrations(pool: pg.Pool): Promise<Finding> {
  const { missing, unknown } = await migrationState(pool)
  if (unknown.length > 0) {
    return fails(
      `the database belongs to a newer release: ${unknown.join(', ')}`,
      'Use that release or a later one.',
    )
  }
  return missing.length === 0
    ? fine('up to date')
    : note(`the next start applies ${missing.join(', ')}`)
}

async function secret(pool: pg.Pool, config: Config): Promise<Finding> {
  const stored = await installed(pool, ROOT_KEY)
  const own = await existingSecret(config)
  if (stored === null) {
    return own ? fine('present; the first start ties it to the database') : WILL_BE_CREATED
  }
  if (!own) {
    return fails(
      'the secret that the database was set up with is missing',
      'Restore secret.key in the data directory, or set STANDING_SECRET_KEY to it.',
    )
  }
  return opens(stored.value, own)
    ? fine('the one that the database was set up with')
    : fails(
        'not the one that the database was set up with',
        'Restore secret.key or STANDING_SECRET_KEY; every node needs the same secret.',
      )
}

/** Whether requests came through a proxy that is not in `STANDING_TRUST_PROXY`. */
async function proxy(pool: pg.Pool, { trustProxy }: Config): Promise<Finding> {
  const stored = await installed(pool, LATEST_PROXY)
  if (stored === null) {
    return fine('no requests through a proxy that is not trusted')
  }
  const { peer, at } = JSON.parse(stored.value) as UntrustedProxy
  if (isTrusted(peer, trustProxy)) {
    return fine(`${peer} is trusted`)
  }
  return note(
    `on ${new Date(at).toISOString()} nearly all requests came through ${peer}, which is not trusted: its clients share one address`,
    `Add ${peer} to STANDING_TRUST_PROXY if it is your proxy.`,
  )
}

/** A fact about the installation; null where it is missing, or the table is. */
async function installed(
  pool: pg.Pool,
  name: string,
): Promise<Pick<InstallationRow, 'value'> | null> {
  const { rows: tables } = await pool.query<{ exists: boolean }>(
    "select to_regclass('installation') is not null as exists",
  )
  if (!tables[0]?.exists) {
    return null
  }
  const { rows } = await pool.query<{ value: string }>(
    'select value from installation where name = $1',
    [name],
  )
  return rows[0] ?? null
}

const WILL_BE_CREATED = note('none yet; the first start creates it')

async function secretAlone(config: Config): Promise<Finding> {
  return guarded(async () => ((await existingSecret(config)) ? fine('present') : WILL_BE_CREATED))
}

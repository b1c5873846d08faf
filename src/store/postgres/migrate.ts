import type pg from 'pg'
import { UserError } from '../../lib/user-error.ts'
import initial from '../migrations/0001-initial.sql'
import voter from '../migrations/0002-voter.sql'
import notificationAgent from '../migrations/0003-notification-agent.sql'
import discards from '../migrations/0004-discards.sql'
import turns from '../migrations/0005-turns.sql'
import textsRemoved from '../migrations/0006-texts-removed.sql'
import keyUse from '../migrations/0007-key-use.sql'
import onlyProblems from '../migrations/0008-only-problems.sql'
import keysAndDiscards from '../migrations/0009-keys-and-discards.sql'
import lowAgentsAndFolds from '../migrations/0010-low-agents-and-folds.sql'
import wholeRowsAndFolds from '../migrations/0011-whole-rows-and-folds.sql'
import withdrawals from '../migrations/0012-withdrawals.sql'
import { distributeNew, ONE_CONNECTION, readShards } from './distribution.ts'
import { waitForServer } from './pool.ts'
import { statementsIn } from './statements.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** Forward only: a released migration is never edited; the next one corrects it. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-initial', sql: initial },
  { name: '0002-voter', sql: voter },
  { name: '0003-notification-agent', sql: notificationAgent },
  { name: '0004-discards', sql: discards },
  { name: '0005-turns', sql: turns },
  { name: '0006-texts-removed', sql: textsRemoved },
  { name: '0007-key-use', sql: keyUse },
  { name: '0008-only-problems', sql: onlyProblems },
  { name: '0009-keys-and-discards', sql: keysAndDiscards },
  { name: '0010-low-agents-and-folds', sql: lowAgentsAndFolds },
  { name: '0011-whole-rows-and-folds', sql: wholeRowsAndFolds },
  { name: '0012-withdrawals', sql: withdrawals },
]

/** The oldest server that runs this SQL. */
export const SERVER_VERSION_MIN = 150_000

/** The advisory lock of migrations: any number that no other lock has. */
const MIGRATION_LOCK = 7_382_016_455

/** A request that has locked a table is waited for; a statement may have to write a large table again. */
const TIMEOUTS = "set lock_timeout = '120s'; set statement_timeout = '600s'"

/** For the wait for another node, whose migrations take as long as they need. */
const NO_TIMEOUTS = 'set lock_timeout = 0; set statement_timeout = 0'

/**
 * Brings the schema up to date. Of nodes that start together the first migrates; the others wait and
 * find nothing to do. A database that is newer than this program is refused and not changed.
 *
 * @param onWait called where another node is waited for
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[] = MIGRATIONS,
  onWait: () => void = () => {},
): Promise<readonly string[]> {
  const client = await pool.connect()
  try {
    await checkVersion(client)
    waitForServer(client)
    await lock(client, onWait)
    await client.query(TIMEOUTS)
    const applied = await applyMissing(client, migrations)
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
    return applied
  } finally {
    // The settings above are the session's, so the connection does not go back to the pool. Its end
    // also releases the lock where something failed.
    client.release(true)
  }
}

async function lock(client: pg.PoolClient, onWait: () => void): Promise<void> {
  const { rows } = await client.query<{ isLocked: boolean }>(
    'select pg_try_advisory_lock($1) as "isLocked"',
    [MIGRATION_LOCK],
  )
  if (!rows[0]?.isLocked) {
    onWait()
    await client.query(NO_TIMEOUTS)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  }
}

/**
 * Whether `migrate` would find nothing to do and nothing to refuse. It takes no lock and no connection
 * of its own. False where that cannot be read: `migrate` says why.
 */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  try {
    await checkVersion(pool)
    const { missing, unknown } = await migrationState(pool)
    return missing.length === 0 && unknown.length === 0
  } catch {
    return false
  }
}

/** The migrations that the database lacks, and those that are unknown to this program. */
export async function migrationState(
  pool: pg.Pool,
): Promise<{ readonly missing: readonly string[]; readonly unknown: readonly string[] }> {
  const names = MIGRATIONS.map(({ name }) => name)
  if (!(await hasMigrations(pool))) {
    return { missing: names, unknown: [] }
  }
  const { rows } = await pool.query<{ name: string }>('select name from migrations')
  const applied = rows.map(({ name }) => name)
  return {
    missing: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  }
}

async function hasMigrations(on: pg.Pool | pg.PoolClient): Promise<boolean> {
  const { rows } = await on.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null as there",
  )
  return rows[0]?.there === true
}

async function checkVersion(on: pg.Pool | pg.PoolClient): Promise<void> {
  const { rows } = await on.query<{ version: number; name: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('server_version') as name",
  )
  const [server] = rows
  if (server && server.version < SERVER_VERSION_MIN) {
    throw new UserError(
      `Standing needs PostgreSQL 15 or newer; this server is ${server.name}. Set DATABASE_URL to ` +
        'another server, or remove it to use the embedded one.',
    )
  }
}

/** Text of other alphabets has no place in other encodings. @throws UserError for a database with one */
export async function checkEncoding(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ encoding: string; database: string; user: string }>(
    `select current_setting('server_encoding') as encoding, quote_ident(current_database()) as database,
       quote_ident(current_user) as user`,
  )
  const [found] = rows
  if (found && found.encoding !== 'UTF8') {
    throw new UserError(
      `The database ${found.database} has the encoding ${found.encoding}, and Standing needs UTF8. Nothing was ` +
        `changed. Create a new one: create database NAME owner ${found.user} encoding 'UTF8' template template0;`,
    )
  }
}

async function applyMissing(
  client: pg.PoolClient,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  if (!(await hasMigrations(client))) {
    await checkEncoding(client)
  }
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map(({ name }) => name))
  refuseNewer(applied, migrations)
  const missing = migrations.filter(({ name }) => !applied.has(name))
  for (const migration of missing) {
    await apply(client, migration)
  }
  return missing.map(({ name }) => name)
}

function refuseNewer(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.length === 0) {
    return
  }
  throw new UserError(
    `The database was migrated by a newer release of Standing (${unknown.join(', ')}). ` +
      'Start that release or a later one; nothing was changed.',
  )
}

async function apply(client: pg.PoolClient, { name, sql }: Migration): Promise<void> {
  await client.query('begin')
  try {
    const isDistributed = (await readShards(client)) !== null
    for (const statement of isDistributed ? [ONE_CONNECTION, ...statementsIn(sql)] : [sql]) {
      await client.query(statement)
    }
    await distributeNew(client)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    // A lost connection has nothing to roll back; the first error says what went wrong.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

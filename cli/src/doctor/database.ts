import type pg from 'pg'
import type { Config } from '../../../src/config.ts'
import { createVault } from '../../../src/lib/vault.ts'
import { existingSecret } from '../../../src/startup/master-key.ts'
import { migrationState } from '../../../src/store/postgres/migrate.ts'
import { createPool } from '../../../src/store/postgres/pool.ts'
import { hasData, reach } from '../database.ts'
import { type Finding, fails, fine, guarded, note } from './check.ts'

export interface DatabaseFindings {
  readonly database: Finding
  readonly migrations: Finding
  readonly secret: Finding
}

/** Whether the database is to be had, fits this release, and was set up with this secret. */
export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  if (config.databaseUrl === null && !hasData(config.dataDir)) {
    const first = note('none yet: the first start makes it')
    return { database: first, migrations: first, secret: await secretAlone(config) }
  }
  let reached: Awaited<ReturnType<typeof reach>>
  try {
    reached = await reach(config)
  } catch (error) {
    return unreachable(error)
  }
  const pool = createPool(reached.connection, { max: 1 })
  try {
    return {
      database: await version(pool),
      migrations: await guarded(() => migrations(pool)),
      secret: await guarded(() => secret(pool, config)),
    }
  } catch (error) {
    return unreachable(error)
  } finally {
    await pool.end()
    await reached.stop()
  }
}

function unreachable(error: unknown): DatabaseFindings {
  const said = error instanceof Error ? error.message || String(error) : String(error)
  const todo = 'Start the server, and see that DATABASE_URL names its host, port and password.'
  const unknown = note('not known: the database cannot be reached')
  return { database: fails(said, todo), migrations: unknown, secret: unknown }
}

async function version(pool: pg.Pool): Promise<Finding> {
  const { rows } = await pool.query<{ name: string; number: number }>(
    `select current_setting('server_version') as name,
       current_setting('server_version_num')::int as number`,
  )
  const { name = '?', number = 0 } = rows[0] ?? {}
  return number >= 150_000
    ? fine(`PostgreSQL ${name} answers`)
    : fails(`PostgreSQL ${name} is too old`, 'Standing needs PostgreSQL 15 or newer.')
}

async function migrations(pool: pg.Pool): Promise<Finding> {
  const { missing, unknown } = await migrationState(pool)
  if (unknown.length > 0) {
    return fails(`of a newer release: ${unknown.join(', ')}`, 'Use that release or a later one.')
  }
  return missing.length === 0
    ? fine('up to date')
    : note(`the next start applies ${missing.join(', ')}`)
}

async function secret(pool: pg.Pool, config: Config): Promise<Finding> {
  const { rows: tables } = await pool.query<{ there: boolean }>(
    "select to_regclass('installation') is not null as there",
  )
  const { rows } = tables[0]?.there
    ? await pool.query<{ value: string }>(
        "select value from installation where name = 'secret_check'",
      )
    : { rows: [] }
  const [stored] = rows
  const ours = await existingSecret(config)
  if (!stored) {
    return ours ? fine('there; the first start ties it to the database') : willBeMade
  }
  if (!ours) {
    return fails(
      'the database was set up with a secret that is not here',
      'Restore secret.key in the data directory, or set STANDING_SECRET_KEY to it.',
    )
  }
  return createVault(ours).checkValue === stored.value
    ? fine('the one the database was set up with')
    : fails(
        'not the one the database was set up with',
        'Restore secret.key or STANDING_SECRET_KEY; every node needs the same.',
      )
}

const willBeMade = note('none yet: the first start makes it')

async function secretAlone(config: Config): Promise<Finding> {
  return guarded(async () => ((await existingSecret(config)) ? fine('there') : willBeMade))
}

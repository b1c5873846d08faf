import type pg from 'pg'
import { UserError } from '../../../src/lib/user-error.ts'
import { findEmbeddedDatabase } from '../../../src/startup/embedded-database.ts'
import { readShards } from '../../../src/store/postgres/distribution.ts'
import { MIGRATIONS, migrationState } from '../../../src/store/postgres/migrate.ts'
import type { Connection } from '../../../src/store/postgres/pool.ts'
import { databaseBytes } from '../../../src/store/postgres/sizes.ts'
import type { InputOf, Session } from '../command.ts'
import { withServer } from '../database.ts'
import type { DATA_OPTIONS } from '../options.ts'
import { configOf } from '../settings.ts'

type Input = InputOf<typeof DATA_OPTIONS>

/** The exit code says whether this release can use the database. */
export async function status({ options }: Input, session: Session): Promise<number> {
  const { where, state, sizes } = await withServer(
    configOf(session.env, options),
    async ({ connection, pool }) => ({
      where: withoutPassword(urlOf(connection)),
      state: await migrationState(pool),
      sizes: await sizesOf(pool),
    }),
  )
  const { missing, unknown } = state
  const { version, bytes, rows } = sizes
  const schema = MIGRATIONS.at(-1)?.name ?? null
  session.show(
    { connection: where, version, schema, missing, unknown, bytes, rows },
    [
      `database         ${where}`,
      `server           PostgreSQL ${version}`,
      `schema           ${describeSchema(missing, unknown)}`,
      `size             ${(bytes / 1024 ** 2).toFixed(1)} MiB`,
      ...Object.entries(rows).map(([name, count]) => `${name.padEnd(17)}about ${count} rows`),
    ].join('\n'),
  )
  return missing.length + unknown.length === 0 ? 0 : 1
}

function describeSchema(missing: readonly string[], unknown: readonly string[]): string {
  if (unknown.length > 0) {
    return `of a newer release: it has ${unknown.join(', ')}`
  }
  return missing.length > 0
    ? `lacks ${missing.join(', ')}: start this release of the service once`
    : 'up to date'
}

/** The tables that grow. Counted as PostgreSQL estimates them: counting millions takes long. */
const TABLES = ['agents', 'events', 'archived_events', 'snapshots', 'deliveries'] as const

const ROWS = '(select n_live_tup from pg_stat_user_tables where relid = name::regclass)'

/** The coordinator has no rows of a distributed table. A server that does not answer is left out. */
const ROWS_ON_SHARDS = `case when exists (
    select from pg_dist_partition where logicalrelid = name::regclass and partmethod = 'h')
  then (select sum(result::bigint) from run_command_on_shards(name::regclass,
    'select n_live_tup from pg_stat_user_tables where relid = ''%s''::regclass') where success)
  else ${ROWS} end`

async function sizesOf(pool: pg.Pool) {
  const isDistributed = (await readShards(pool)) !== null
  const { rows: facts } = await pool.query<{ version: string; bytes: string }>(
    `select current_setting('server_version') as version, ${databaseBytes({ isDistributed })} as bytes`,
  )
  const { rows } = await pool.query<{ name: string; count: string }>(
    `select name, ${isDistributed ? ROWS_ON_SHARDS : ROWS} as count from unnest($1::text[]) as name
     where to_regclass(name) is not null order by name`,
    [TABLES],
  )
  return {
    version: facts[0]?.version ?? '',
    bytes: Number(facts[0]?.bytes ?? 0),
    rows: Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)])),
  }
}

export async function url({ options }: Input, session: Session): Promise<number> {
  const { databaseUrl, dataDir } = configOf(session.env, options)
  const connection =
    databaseUrl === null ? await findEmbeddedDatabase(dataDir) : { url: databaseUrl }
  if (!connection) {
    throw new UserError(
      `The embedded database in ${dataDir} does not run. Start the service first: standing serve`,
    )
  }
  const address = urlOf(connection)
  session.show({ url: address }, address)
  return 0
}

/** A socket directory is the host of the query, as libpq reads it. */
function urlOf(connection: Connection): string {
  if ('url' in connection) {
    return connection.url
  }
  const { host, port, user, database, password } = connection
  const query = new URLSearchParams({
    host,
    port: String(port),
    user,
    ...(password ? { password } : {}),
  })
  return `postgres:///${database}?${query}`
}

function withoutPassword(address: string): string {
  const parsed = new URL(address)
  parsed.password = ''
  parsed.searchParams.delete('password')
  return parsed.href
}

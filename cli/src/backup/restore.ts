/** Fills an empty database from an archive, in one transaction: all of it is there, or nothing. */
import type pg from 'pg'
import { UserError } from '../../../src/lib/user-error.ts'
import { COMMIT_MARKER } from '../../../src/store/postgres/distributed-tables.ts'
import { checkEncoding, type Migration } from '../../../src/store/postgres/migrate.ts'
import { FORM, type Header, type Line } from './archive.ts'
import { type Table, tablesOf } from './dump.ts'

/** Filled by their default: a transaction of another server means nothing here. */
const DEFAULTED: Readonly<Record<string, readonly string[]>> = { notifications: ['transaction_id'] }

export interface Restored {
  readonly tables: number
  readonly rows: number
}

/** @throws UserError if the database is not empty, or the archive belongs to a newer release */
export async function restore(
  client: pg.ClientBase,
  lines: AsyncIterable<Line>,
  migrations: readonly Migration[],
): Promise<Restored> {
  await client.query('begin')
  try {
    await checkEmpty(client)
    await checkEncoding(client)
    const restored = await load(client, lines, migrations)
    await client.query('commit')
    return restored
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** What an extension has brought may be there: Citus has to be, before a database is distributed. */
async function checkEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind in ('r', 'v', 'm', 'f', 'S')
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`,
  )
  if (Number(rows[0]?.count) > 0) {
    throw new UserError(
      'The database is not empty. Restore into a new one: set STANDING_DATA_DIR to a new directory, or ' +
        'DATABASE_URL to an empty database. Nothing was changed.',
    )
  }
}

async function load(
  client: pg.ClientBase,
  lines: AsyncIterable<Line>,
  migrations: readonly Migration[],
): Promise<Restored> {
  let tables: ReadonlyMap<string, Table> = new Map()
  let current: Table | null = null
  let later: readonly Migration[] = []
  const count = { tables: 0, rows: 0 }
  for await (const line of lines) {
    if ('header' in line) {
      const split = splitBy(line.header, migrations)
      later = split.later
      await migrateTo(client, split.archived)
      tables = new Map((await tablesOf(client)).map((table) => [table.table, table]))
    } else if ('table' in line) {
      // Earlier releases also wrote the table, always empty, that a distributed database has besides.
      if (line.table === COMMIT_MARKER) {
        continue
      }
      current = knownTable(tables, line)
      count.tables += 1
    } else if ('rows' in line) {
      await insert(client, current, line.rows)
      count.rows += line.rows.length
    } else {
      await client.query('select setval($1::regclass, $2)', [line.sequence, line.value])
    }
  }
  // No node that had claimed a delivery is here any more.
  await client.query(
    'update delivery_queue_heads set due_at = 0, claim = null, node_id = null, in_flight = 0',
  )
  await run(client, later)
  return count
}

/** The migrations that made the archived database, and those that this release adds. */
export function splitBy(
  { form, migrations: archived }: Header,
  migrations: readonly Migration[],
): { readonly archived: readonly Migration[]; readonly later: readonly Migration[] } {
  if (form !== FORM) {
    throw new UserError(`This backup has the form ${form}, which this release does not know.`)
  }
  const known = migrations.slice(0, archived.length)
  if (known.map(({ name }) => name).join() !== archived.join()) {
    throw new UserError(
      `This backup was made by a newer release (${archived.at(-1)}). Restore it with that release or a ` +
        'later one. Nothing was changed.',
    )
  }
  return { archived: known, later: migrations.slice(archived.length) }
}

async function migrateTo(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query(
    'create table migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  await run(client, migrations)
}

async function run(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  for (const { name, sql } of migrations) {
    await client.query(sql)
    await client.query('insert into migrations (name) values ($1)', [name])
  }
}

/** The names go into statements, so they are those of this database and not of the archive. */
function knownTable(tables: ReadonlyMap<string, Table>, line: Table): Table {
  const table = tables.get(line.table)
  if (table?.columns.join() !== line.columns.join()) {
    throw new UserError(
      `This backup is not one of Standing's database: it has the table ${line.table} with other ` +
        'columns. Nothing was changed.',
    )
  }
  return table
}

async function insert(
  client: pg.ClientBase,
  table: Table | null,
  rows: readonly string[],
): Promise<void> {
  if (!table) {
    throw new UserError('This backup has rows outside of a table. Nothing was changed.')
  }
  const defaulted = DEFAULTED[table.table] ?? []
  const names = table.columns.filter((column) => !defaulted.includes(column)).join(', ')
  await client.query({
    name: `restore ${table.table}`,
    text: `insert into ${table.table} (${names}) overriding system value
      select ${names} from unnest($1::${table.table}[])`,
    values: [rows],
  })
}

/** Reads a whole database as of one instant, while others go on writing. */
import type pg from 'pg'
import { COMMIT_MARKER } from '../../../src/store/postgres/distributed-tables.ts'
import type { Line } from './archive.ts'

/**
 * Tables that a restored service fills again: limits of a minute, and what names running processes. The last one is made
 * when a cluster is distributed.
 */
const LEFT_OUT = ['migrations', 'quota_requests', 'delivery_nodes', 'listeners', COMMIT_MARKER]

/** Rows of one line: some hundred kilobytes. */
const PART = 500

/** In one transaction that sees the database as it was when it began. */
export async function* dump(client: pg.ClientBase): AsyncGenerator<Line> {
  for (const { table, columns } of await tablesOf(client)) {
    yield { table, columns }
    await client.query(`declare backup no scroll cursor for select t::text as text from ${table} t`)
    while (true) {
      const { rows } = await client.query<{ text: string }>(`fetch ${PART} from backup`)
      if (rows.length === 0) {
        break
      }
      yield { rows: rows.map(({ text }) => text) }
    }
    await client.query('close backup')
  }
  const { rows } = await client.query<{ sequence: string; value: number | null }>(
    `select quote_ident(sequencename) as sequence, last_value::text::bigint as value
     from pg_sequences where schemaname = current_schema()`,
  )
  for (const { sequence, value } of rows) {
    if (value !== null) {
      yield { sequence, value: Number(value) }
    }
  }
}

export interface Table {
  readonly table: string
  readonly columns: readonly string[]
}

/** Each table after those that it refers to, so that its rows can be inserted in this order. */
export async function tablesOf(client: pg.ClientBase): Promise<readonly Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refers: string[] }>(
    `select c.relname as name,
       array(select attname::text from pg_attribute a
         where a.attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns,
       array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as refers
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = current_schema() and c.relkind = 'r' and not c.relname = any($1)
     order by c.relname`,
    [LEFT_OUT],
  )
  const sorted: Table[] = []
  const done = new Set<string>()
  let left = rows
  while (left.length > 0) {
    const ready = left.filter(({ refers }) => refers.every((name) => done.has(name)))
    if (ready.length === 0) {
      throw new Error(`tables refer to each other in a circle: ${left.map(({ name }) => name)}`)
    }
    for (const { name, columns } of ready) {
      done.add(name)
      sorted.push({ table: name, columns })
    }
    left = left.filter(({ name }) => !done.has(name))
  }
  return sorted
}

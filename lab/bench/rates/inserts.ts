import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createIds } from '../../../src/lib/ids.ts'
import { type Figure, measure } from './load.ts'

/** INSERTs into a bare table, as fast as the database takes them, one transaction at a time each. */
export interface InsertLoad {
  readonly databaseUrl: string
  readonly clients: number
  readonly rowsPerInsert: number
  readonly warmMs: number
  readonly ms: number
}

const COLUMNS: readonly (readonly [name: string, type: string, value: () => unknown])[] = [
  ['id', 'uuid', createIds()],
  ['agent_id', 'uuid', randomUUID],
  ['type', 'text', () => 'task.completed'],
  ['data', 'json', () => '{"duration":1200,"success":true}'],
  ['occurred_at', 'bigint', Date.now],
  ['created_at', 'bigint', Date.now],
  ['reporter_kind', 'text', () => 'platform'],
  ['reporter_id', 'uuid', randomUUID],
]

/** A bare table of events with one index, without anything computed from them. */
export const BARE_SCHEMA = `create table bare_events (${COLUMNS.map(
  ([name, type]) => `${name} ${type} not null`,
).join(', ')}, primary key (id))`

const NAMES = COLUMNS.map(([name]) => name).join(', ')
const ONE = `insert into bare_events (${NAMES}) values (${COLUMNS.map((_, i) => `$${i + 1}`)})`
const MANY = `insert into bare_events (${NAMES}) select * from unnest(${COLUMNS.map(
  ([, type], i) => `$${i + 1}::${type}[]`,
)})`

/** Open until the process ends: PostgreSQL would start a process for each in every slice. */
const opened: Promise<pg.Client>[] = []

async function openClient(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return client
}

/** The physical limit of a write: prepared statements on connections that are open already. */
export async function loadInserts(load: InsertLoad): Promise<Figure> {
  while (opened.length < load.clients) {
    opened.push(openClient(load.databaseUrl))
  }
  const clients = await Promise.all(opened.slice(0, load.clients))
  const figure = await measure(load, (clock) =>
    Promise.all(
      clients.map(async (client) => {
        while (!clock.done()) {
          const startedAt = performance.now()
          await client.query(statement(load.rowsPerInsert))
          clock.note(startedAt)
        }
      }),
    ),
  )
  const { perSecond, total } = figure
  return {
    ...figure,
    perSecond: perSecond * load.rowsPerInsert,
    total: total * load.rowsPerInsert,
  }
}

function statement(rows: number): pg.QueryConfig {
  if (rows === 1) {
    return { name: 'one', text: ONE, values: COLUMNS.map(([, , value]) => value()) }
  }
  const values = COLUMNS.map(([, , value]) => Array.from({ length: rows }, value))
  return { name: 'many', text: MANY, values }
}

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { readOptions } from '../options.ts'
import { publish, type Table } from '../report.ts'
import { median } from '../statistics.ts'
import { openDatabase } from './database.ts'

const USAGE = `npm run bench:partitions -- [--rows N] [--rounds N] [--page FILE] [--json [FILE]]

Measures what the table of events costs PostgreSQL as one table, and in partitions by time. Linux only: it
reads the CPU time of the server process.`

/** One table, a quarter in months, a year and a month in months, half a year in weeks. */
const PARTITIONS = [0, 3, 13, 26] as const

/** The rows of a transaction of the service under load, and agents enough that no two are neighbours. */
const BATCH = 16
const AGENTS = 2_000

/** As random as ids within one partition are: their first 32 bits are the time. */
const FIRST = 0x0190_0000
const WIDTH = 0x1_0000

interface Costs {
  readonly partitions: number
  readonly insertUs: number
  readonly listUs: number
  readonly findUs: number
  readonly deleteUs: number
  readonly vacuumUs: number
  readonly bytes: number
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, { rows: 20_000, rounds: 5, page: null, json: null })
  const database = await openDatabase()
  const pool = createPool(database.connection, {
    max: 1,
    limits: { connectMs: 600_000, answerMs: 600_000 },
  })
  try {
    await migrate(pool)
    const runs: Costs[] = []
    for (let round = 0; round < values.rounds; round++) {
      for (const partitions of PARTITIONS) {
        runs.push(await measure(pool, partitions, values.rows))
        process.stderr.write(`${JSON.stringify(runs.at(-1))}\n`)
      }
    }
    publish(values, { section: 'partitions', table: tableOf(runs), rows: runs })
  } finally {
    await pool.end()
    await database.close()
  }
}

async function measure(pool: pg.Pool, partitions: number, rows: number): Promise<Costs> {
  const table = await createTable(pool, partitions)
  const newest = idPrefix(partitions)
  const agents = Array.from({ length: AGENTS }, () => randomUUID())
  const agentAt = (i: number) => agents[(i * 7) % AGENTS] ?? ''
  const prefix = newest.slice(0, 8)
  const ids: string[] = []
  const insertUs = await cpuUs(pool, Math.ceil(rows / BATCH), async (run) => {
    const part = Array.from({ length: BATCH }, (_, k) => run * BATCH + k)
    ids.push(...part.map(() => `${prefix}${randomUUID().slice(8)}`))
    await pool.query({
      name: `insert ${table}`,
      text: insertInto(table),
      values: [part.map(agentAt), part, ids.slice(-BATCH)],
    })
  })
  const listUs = await cpuUs(pool, AGENTS, (run) =>
    pool.query({
      name: `list ${table}`,
      text: `select * from ${table} where agent_id = $1 and seq < $2 order by seq desc limit 51`,
      values: [agentAt(run), rows],
    }),
  )
  const findUs = await cpuUs(pool, AGENTS, (run) =>
    pool.query({
      name: `find ${table}`,
      text: `select * from ${table} where id = $1 and agent_id = $2`,
      values: [ids[run] ?? '', agentAt(run)],
    }),
  )
  const bytes = await sizeOf(pool, table)
  // As retention does, which moves the events of one agent after the other.
  const deleteUs = await cpuUs(pool, AGENTS, (run) =>
    pool.query({
      name: `delete ${table}`,
      text: `delete from ${table} where agent_id = $1 and seq >= 0 and seq <= $2`,
      values: [agentAt(run), rows],
    }),
  )
  const vacuumUs = await cpuUs(pool, 1, () => pool.query(`vacuum ${table}`))
  await pool.query(`drop table ${table}`)
  return {
    partitions,
    insertUs: insertUs / BATCH,
    listUs,
    findUs,
    deleteUs: (deleteUs * AGENTS) / rows,
    vacuumUs: vacuumUs / rows,
    bytes: bytes / rows,
  }
}

/** As the table of events; in partitions its key needs the id, and there is one more for all other ids. */
async function createTable(pool: pg.Pool, partitions: number): Promise<string> {
  const name = `events_${partitions}`
  const by = partitions > 0 ? 'partition by range (id)' : ''
  await pool.query(`create table ${name} (like events including defaults) ${by}`)
  await pool.query(
    `alter table ${name} add primary key (agent_id, seq${partitions > 0 ? ', id' : ''})`,
  )
  const { rows } = await pool.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where tablename = 'events' and indexname <> 'events_pkey'`,
  )
  for (const { indexdef } of rows) {
    await pool.query(indexdef.replace(/INDEX \S+ ON \S+/, `INDEX ON ${name}`))
  }
  for (let i = 1; i <= partitions; i++) {
    await pool.query(
      `create table ${name}_${i} partition of ${name} for values from ('${idPrefix(i)}') to ('${idPrefix(i + 1)}')`,
    )
  }
  if (partitions > 0) {
    await pool.query(`create table ${name}_other partition of ${name} default`)
  }
  return name
}

/** The lowest id of a partition. */
function idPrefix(partition: number): string {
  return `${(FIRST + partition * WIDTH).toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`
}

function insertInto(table: string): string {
  return `insert into ${table} (agent_id, seq, id, type, data, occurred_at, created_at, reporter_kind, reporter_id,
      is_self_reported, fraud_flags, reporter_weight, share, hardness, is_quarantined, attestation_verified, chain)
    select agent_id, seq, id, 'task.completed', '{}', seq, seq, 'platform', agent_id, false, '{}', 1, 1, 1, false, false,
      decode(repeat('ab', 32), 'hex')
    from unnest($1::uuid[], $2::bigint[], $3::uuid[]) as t(agent_id, seq, id)`
}

/** The CPU time of the server process for each run. */
async function cpuUs(
  pool: pg.Pool,
  runs: number,
  work: (run: number) => Promise<unknown>,
): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const stat = `/proc/${rows[0]?.pid}/schedstat`
  const usedNs = () => Number(readFileSync(stat, 'utf8').split(' ')[0])
  const before = usedNs()
  for (let run = 0; run < runs; run++) {
    await work(run)
  }
  return (usedNs() - before) / 1_000 / runs
}

/** Of a table and its partitions. */
async function sizeOf(pool: pg.Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(c.oid))::float8 as bytes from pg_class c
     where c.oid = '${table}'::regclass
       or c.oid in (select inhrelid from pg_inherits where inhparent = '${table}'::regclass)`,
  )
  return rows[0]?.bytes ?? 0
}

function tableOf(runs: readonly Costs[]): Table {
  const of = (partitions: number, get: (costs: Costs) => number) =>
    median(runs.filter((run) => run.partitions === partitions).map(get)).toFixed(0)
  return {
    head: [
      'partitions',
      'insert, of 16: us a row',
      'list of an agent: us',
      'by id: us',
      'delete and vacuum: us a row',
      'bytes a row',
    ],
    rows: PARTITIONS.map((partitions) => [
      partitions === 0 ? 'one table' : String(partitions),
      of(partitions, (costs) => costs.insertUs),
      of(partitions, (costs) => costs.listUs),
      of(partitions, (costs) => costs.findUs),
      of(partitions, (costs) => costs.deleteUs + costs.vacuumUs),
      of(partitions, (costs) => costs.bytes),
    ]),
  }
}

await main()

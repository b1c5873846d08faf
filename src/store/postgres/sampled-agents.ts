import { isTest } from './rows.ts'
import type { Sql } from './sql.ts'

/** How many times more agents are sampled than requested: in some installations most have no event yet. */
const SAMPLED_TIMES = 20

/** Below this the table is counted, and read whole. */
const SMALL_TABLE = 10_000

/** A table to sample ids from, and the condition of the ids to use. */
interface Sampled {
  readonly table: string
  readonly id: string
  readonly condition: string
}

const STATES: Sampled = { table: 'agent_states', id: 'agent_id', condition: 'seq > 0' }

/** Citus takes no samples of tables that lie on several servers: this one is on the coordinator. */
const REGISTERED: Sampled = { table: 'agents', id: 'id', condition: 'true' }

export async function sampleAgents(sql: Sql, limit: number, seed: number) {
  return sampleIn(sql, STATES, limit, seed)
}

/** Samples agents whose states lie on other servers. */
export async function sampleSharded(sql: Sql, limit: number, seed: number) {
  const { ids, agentsInAll } = await sampleIn(sql, REGISTERED, SAMPLED_TIMES * limit, seed)
  const rows = await sql<{ agent_id: string }>(
    'select agent_id from agent_states where agent_id = any($1::uuid[]) and seq > 0 limit $2',
    [ids, limit],
  )
  return { ids: rows.map(({ agent_id }) => agent_id), agentsInAll }
}

async function sampleIn(sql: Sql, { table, id, condition }: Sampled, limit: number, seed: number) {
  const [size] = await sql<{ about: number; counted: number }>(
    `select (select reltuples::float8 from pg_class where oid = '${table}'::regclass) as about,
       (select count(*)::int from (select 1 as one from ${table} where not ${isTest(id)} limit ${SMALL_TABLE}) as few) as counted`,
  )
  const { about = 0, counted = 0 } = size ?? {}
  const agentsInAll = counted < SMALL_TABLE ? counted : Math.max(counted, Math.round(about))
  const percent = Math.min(100, (100 * SAMPLED_TIMES * limit) / Math.max(1, agentsInAll))
  const rows = await sql<{ id: string }>(
    `select ${id} as id from ${table}
     tablesample system ($2::float4) repeatable ($3::float8)
     where ${condition} and not ${isTest(id)}
     order by md5(${id}::text || $3::text) limit $1`,
    [limit, counted < SMALL_TABLE ? 100 : percent, seed],
  )
  return { ids: rows.map((row) => row.id), agentsInAll }
}

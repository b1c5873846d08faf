import type pg from 'pg'
import { groupBy } from '../../lib/group-by.ts'
import { UserError } from '../../lib/user-error.ts'
import { COMMIT_MARKER, DISTRIBUTED, FIRST } from './distributed-tables.ts'
import { waitForServer } from './pool.ts'
import { createShardFunctions } from './shard-function.ts'
import type { Shard } from './shards.ts'
import { type Address, IDENTITY } from './workers.ts'

/** The oldest release of Citus that this was tried on. */
const CITUS_MIN = 13

/** How the tables are distributed over a cluster, or would be. */
export interface Distribution {
  readonly citus: string
  readonly workers: number
  readonly shards: number
  /** Tables that are, or are to be, distributed. */
  readonly missing: readonly string[]
  readonly present: readonly string[]
}

/** Shards for each worker: two, so that a cluster can become twice as large without splitting any. */
const SHARDS_PER_WORKER = 2

/** Citus requires this of a transaction that changes tables and creates a function: one connection to each worker. */
export const ONE_CONNECTION = "set local citus.multi_shard_modify_mode to 'sequential'"

export type Queryable = Pick<pg.ClientBase, 'query'>

/** @throws UserError where the server is no Citus coordinator with workers */
export async function readDistribution(database: Queryable): Promise<Distribution> {
  const citus = await citusVersion(database)
  const { rows } = await database.query<{ workers: number; has_coordinator: boolean }>(
    `select count(*) filter (where groupid <> 0 and isactive and shouldhaveshards)::int as workers,
       coalesce(bool_or(groupid = 0), false) as has_coordinator from pg_dist_node`,
  )
  const { workers = 0, has_coordinator: hasCoordinator = false } = rows[0] ?? {}
  if (!hasCoordinator || workers === 0) {
    throw new UserError(
      'This Citus server has no cluster yet. On the coordinator run ' +
        "select citus_set_coordinator_host('ITS NAME', 5432); and for each worker " +
        "select citus_add_node('NAME', 5432); then try again.",
    )
  }
  const { rows: tables } = await database.query<{ name: string }>(
    'select logicalrelid::text as name from pg_dist_partition',
  )
  const known = new Set(tables.map(({ name }) => name))
  const all = DISTRIBUTED.flatMap((group) => group.tables)
  const current = await readShards(database)
  return {
    citus,
    workers,
    shards: current?.length ?? SHARDS_PER_WORKER * workers,
    missing: all.filter((name) => !known.has(name)),
    present: all.filter((name) => known.has(name)),
  }
}

async function citusVersion(database: Queryable): Promise<string> {
  const { rows } = await database.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  )
  const version = rows[0]?.version
  if (version === undefined) {
    throw new UserError(
      'This database has no Citus, so there are no workers to distribute it over. Install Citus ' +
        `${CITUS_MIN} or newer on every server, run create extension citus in this database, and add ` +
        'the workers (docs/scale.md). A single PostgreSQL needs none of it.',
    )
  }
  if (Number.parseInt(version, 10) < CITUS_MIN) {
    throw new UserError(
      `Standing needs Citus ${CITUS_MIN} or newer; this server has ${version}. Upgrade it on every server.`,
    )
  }
  return version
}

/** Distributes the tables that are not distributed yet, all of them or none. Existing rows are moved. */
export async function distribute(pool: pg.Pool, shards?: number): Promise<Distribution> {
  const client = await pool.connect()
  try {
    waitForServer(client)
    await client.query('begin')
    await client.query('set local statement_timeout = 0; set local lock_timeout = 0')
    await client.query(ONE_CONNECTION)
    const { missing, shards: usual } = await readDistribution(client)
    for (const table of missing) {
      await distributeTable(client, table, shards ?? usual)
    }
    await client.query(`create table if not exists ${COMMIT_MARKER} (id integer primary key)`)
    await client.query(
      `select citus_add_local_table_to_metadata('${COMMIT_MARKER}')
       where not exists (select from pg_dist_partition where logicalrelid = '${COMMIT_MARKER}'::regclass)`,
    )
    await createShardFunctions(client)
    await client.query('commit')
  } finally {
    // The connection may be in a failed transaction.
    client.release(true)
  }
  return readDistribution(pool)
}

/** Distributes the tables that a migration of a distributed database created. */
export async function distributeNew(client: Queryable): Promise<void> {
  if ((await readShards(client)) === null) {
    return
  }
  const { missing, shards } = await readDistribution(client)
  for (const table of missing) {
    await distributeTable(client, table, shards)
  }
  await createShardFunctions(client)
}

async function distributeTable(client: Queryable, table: string, shards: number): Promise<void> {
  const where = table === FIRST ? `shard_count => ${shards}` : `colocate_with => '${FIRST}'`
  await client.query(`select create_distributed_table('${table}', 'agent_id', ${where})`)
  await client.query(`select truncate_local_data_after_distributing_table('${table}')`)
}

interface ShardColumns {
  lowest: number
  name: string
  id: string
  group: number
  own: string
}

/** The shards of the agents in the order of their hashes; null on a server where nothing is distributed. */
export async function readShards(database: Queryable): Promise<readonly Shard[] | null> {
  const { rows: found } = await database.query<{ has_citus: boolean }>(
    "select to_regclass('pg_dist_shard') is not null as has_citus",
  )
  if (!found[0]?.has_citus) {
    return null
  }
  const { rows } = await database.query<ShardColumns>(
    `select s.shardminvalue::int as lowest, t.name, s.shardid::text as id, p.groupid as group,
       shard_name(s.logicalrelid, s.shardid) as own
     from unnest($1::text[]) as t(name)
     join pg_dist_shard s on s.logicalrelid = to_regclass(t.name)
     join pg_dist_placement p using (shardid)
     order by 1`,
    [DISTRIBUTED.flatMap(({ tables }) => tables)],
  )
  const shards = [...groupBy(rows, ({ lowest }) => lowest)].flatMap(([lowest, parts]) => {
    const first = parts.find(({ name }) => name === FIRST)
    const tables = new Map(parts.map(({ name, own }) => [name, own]))
    return first === undefined ? [] : [{ lowest, id: first.id, group: first.group, tables }]
  })
  return shards.length === 0 ? null : shards
}

/** By the id of each of these shards, the group of the server that has it now. */
export async function readGroups(
  database: Queryable,
  shardIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.query<Pick<ShardColumns, 'id' | 'group'>>(
    'select shardid::text as id, groupid as group from pg_dist_placement where shardid = any($1)',
    [shardIds],
  )
  return new Map(rows.map(({ id, group }) => [id, group]))
}

/** Where the servers are that have shards, as the coordinator knows them. */
export async function readWorkers(database: Queryable): Promise<readonly Address[]> {
  const { rows } = await database.query<Address>(
    `select nodename as host, nodeport as port from pg_dist_node
     where isactive and shouldhaveshards and noderole = 'primary' order by 1, 2`,
  )
  return rows
}

/** What a server says that it is, as the coordinator reaches it. */
export async function identityFrom(database: Queryable, { host, port }: Address): Promise<string> {
  const { rows } = await database.query<{ identity: string }>(
    `select r.result as identity from run_command_on_all_nodes($1) r join pg_dist_node n using (nodeid)
     where r.success and n.nodename = $2 and n.nodeport = $3`,
    [IDENTITY, host, port],
  )
  const [row] = rows
  if (!row) {
    throw new Error('the coordinator does not reach this server either')
  }
  return row.identity
}

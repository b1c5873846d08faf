import type pg from 'pg'
import { groupBy } from '../../lib/group-by.ts'
import { UserError } from '../../lib/user-error.ts'
import { waitForServer } from './pool.ts'
import { createShardFunctions } from './shard-function.ts'
import type { Shard } from './shards.ts'
import { type Address, IDENTITY } from './workers.ts'

/** Tables that lie together, and why they lie where they do. */
export interface TableGroup {
  readonly tables: readonly string[]
  readonly why: string
}

/** The table that the others follow: the first to be distributed. */
const FIRST = 'agent_states'

/** All that a report writes, and what is read of one agent: distributed by `agent_id`, side by side. */
export const DISTRIBUTED: readonly TableGroup[] = [
  { tables: [FIRST], why: 'the row that each report locks and writes' },
  { tables: ['events', 'archived_events'], why: 'the log of an agent' },
  {
    tables: ['snapshots', 'thinned_snapshots', 'checkpoints', 'quarantined_evidence'],
    why: 'scores of the past, and as they would be',
  },
  { tables: ['external_ids', 'report_responses'], why: 'so that a repeated report counts once' },
  { tables: ['agent_status_changes'], why: 'the status at a past time' },
]

/** What stays on the coordinator. */
export const LOCAL: readonly TableGroup[] = [
  {
    tables: [
      'owners',
      'members',
      'sessions',
      'owner_keys',
      'oidc_identities',
      'invitations',
      'one_time_tokens',
      'mail_queue',
      'login_failures',
      'login_successes',
      'operators',
      'policies',
      'mappings',
      'remembered_agents',
      'fraud_rules',
      'erasures',
      'installation',
      'migrations',
    ],
    why: 'accounts and settings: few rows, seldom written, cached by each node',
  },
  {
    tables: ['api_keys'],
    why: 'read by hash and cached; written in each minute in which a key is used, apart from the requests',
  },
  { tables: ['turns'], why: 'one row for each job of the installation' },
  {
    tables: ['agents', 'identifiers', 'transfers', 'watches', 'delegation_tasks'],
    why: 'written when an agent is registered or named; a verified name is one agent’s of all',
  },
  {
    tables: ['platforms', 'discards', 'platform_hours', 'reporters', 'work_stats', 'endorsements'],
    why: 'by platform: an hourly limit is exact over all agents',
  },
  {
    tables: ['decisions'],
    why: 'by platform: the latest that each asked for, written behind the answers',
  },
  {
    tables: ['credentials', 'signing_keys'],
    why: 'a bit of a status list is one credential’s of all',
  },
  {
    tables: [
      'webhooks',
      'notifications',
      'deliveries',
      'delivery_queue_heads',
      'delivery_nodes',
      'listeners',
    ],
    why: 'by subscription: written only for subscribers',
  },
  { tables: ['audit'], why: 'one chain: each entry has the hash of the one before it' },
  {
    tables: ['stored_responses'],
    why: 'with the other writes of the request, which are on the coordinator',
  },
  {
    tables: ['quota_requests', 'quota_lookups'],
    why: 'limits are exact over all nodes, which take units in advance',
  },
]

/**
 * An empty distributed table. A transaction that writes both on the coordinator and on a worker
 * deletes nothing from it first: then Citus commits in two phases, and all of it is there or nothing.
 */
export const COMMIT_MARKER = 'commit_marker'
export const MARK_COMMIT = `delete from ${COMMIT_MARKER} where id = 0`

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

const TABLE_BYTES = 'pg_total_relation_size(name::regclass)'

/** A distributed table is empty where it was made: its rows are on the workers. */
const TABLE_BYTES_ON_SHARDS = `case
  when exists (select from pg_dist_partition where logicalrelid = name::regclass)
  then citus_total_relation_size(name::regclass, fail_on_error => false)
  else ${TABLE_BYTES} end`

/** The bytes of the table that `name` names, with its indexes, as an expression. */
export function tableBytes({ isDistributed }: { readonly isDistributed: boolean }): string {
  return isDistributed ? TABLE_BYTES_ON_SHARDS : TABLE_BYTES
}

const DATABASE_BYTES = 'pg_database_size(current_database())'

/** A server that does not answer is left out. */
const DATABASE_BYTES_ON_NODES = `(select sum(result::bigint)
  from run_command_on_all_nodes('select ${DATABASE_BYTES}') where success)`

/** The bytes of the database on all servers, as an expression. */
export function databaseBytes({ isDistributed }: { readonly isDistributed: boolean }): string {
  return isDistributed ? DATABASE_BYTES_ON_NODES : DATABASE_BYTES
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

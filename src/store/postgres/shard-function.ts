import type pg from 'pg'
import { memoized } from '../../lib/memoized.ts'
import type { Part } from './guarded-writes.ts'
import { arrayOf, type Value } from './rows.ts'
import type { Sql } from './sql.ts'

/**
 * A function that Citus runs on the server with the rows of an agent, as a transaction of its own. It carries
 * out a statement on the shards that lie there, which then is planned once, and as on a single server: Citus
 * would plan each table's part by itself, twice, and send them one after the other.
 *
 * The statement has one value, the texts of all values. A table is named in it by its place in `TABLES`.
 *
 * Citus does not see these writes, so the function takes the lock that Citus takes for its own: a shard is
 * neither moved nor split meanwhile. One that is no longer there is an error.
 *
 * Each session prepares each statement once for each shard: planned for each batch, an event took the workers
 * half as long again. PL/pgSQL keeps no plan of a statement that it makes, and passes no values to `execute`.
 */
const FUNCTION = 'write_in_shard'

const TABLES = [
  'agent_states',
  'events',
  'snapshots',
  'external_ids',
  'report_responses',
  'checkpoints',
] as const

/** `ShareLock`: to move a shard, Citus locks it, and all that lies with it, against this. */
const SHARE_LOCK = 5

const CREATE = `create or replace function ${FUNCTION}(agent_id uuid, statement text, given text[])
  returns integer language plpgsql as $$
declare
  first bigint := get_shard_id_for_distribution_column('${TABLES[0]}', agent_id);
  own text := md5(statement) || '_' || first;
  shards text[];
  written integer;
begin
  perform lock_shard_metadata(${SHARE_LOCK}, array[first]);
  perform from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = first;
  if not found then
    raise undefined_table using message = format('shard %s lies on another server', first);
  end if;
  perform from pg_prepared_statements where name = own;
  if not found then
    select array_agg(t.name || '_' || get_shard_id_for_distribution_column(t.name::regclass, agent_id) order by place)
      into shards
      from unnest('{${TABLES.join()}}'::text[]) with ordinality as t(name, place);
    execute format('prepare %I (text[]) as %s', own, format(statement, variadic shards));
  end if;
  execute format('execute %I(%L)', own, given) into written;
  return written;
end
$$`

/** On a coordinator, and with it on each worker. */
export async function createShardFunction(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(CREATE)
  await client.query(
    `select create_distributed_function('${FUNCTION}(uuid, text, text[])', '$1', colocate_with => '${TABLES[0]}')`,
  )
}

/** The number that the statement answers with, where all of its rows lie with those of this agent. */
export async function writeInShard(sql: Sql, agentId: string, part: Part): Promise<number | null> {
  const [row] = await sql<{ written: number | null }>(
    `select ${FUNCTION}($1::uuid, $2::text, $3::text[]) as written`,
    [agentId, textInShard(part.text), arrayOf(part.values as readonly Value[])],
  )
  return row?.written ?? null
}

/** The text for `format`, with a place for each table, and every value as an element of the array. */
export const textInShard = memoized((text) =>
  text
    .replaceAll('%', '%%')
    .replaceAll(/\$(\d+)/g, '($$1)[$1]')
    .replaceAll(TABLE, (name) => `%${(TABLES as readonly string[]).indexOf(name) + 1}$I`),
)

const TABLE = new RegExp(`(?<=\\b(?:from|into|join|update) )(${TABLES.join('|')})\\b`, 'g')

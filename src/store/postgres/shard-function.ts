import type pg from 'pg'
import { memoized } from '../../lib/memoized.ts'
import { binaryArraysOf } from './binary-arrays.ts'
import { type GuardedWrites, guardedStatement } from './guarded-writes.ts'
import { arrayOf, arraysOf, type Value } from './rows.ts'
import type { Shard } from './shards.ts'
import type { Sql } from './sql.ts'

/**
 * Statements that name the parts of tables of which a shard is made. Citus does not see what they write.
 *
 * So the first of a transaction takes the lock that Citus takes for its own: the shards are neither moved nor split
 * until the transaction has ended. Then it looks whether the shards are on this server, in a snapshot that is newer
 * than the lock, as every statement of a function has. Where one is not, nothing is written.
 */
const HOLD = 'hold_shards'

/** `ShareLock`: to move a shard, Citus locks it, and all that lies with it, against this. */
const SHARE_LOCK = 5

const CREATE_HOLD = `create or replace function ${HOLD}(shards bigint[])
  returns boolean language plpgsql as $$
begin
  perform lock_shard_metadata(${SHARE_LOCK}, shards);
  return cardinality(shards) = (
    select count(*) from pg_dist_placement join pg_dist_local_group using (groupid)
    where shardid = any(shards));
end
$$`

/**
 * A function that Citus runs on the server with the rows of an agent, for nodes that do not reach that server
 * themselves. It carries out such a statement, as a transaction of its own. The statement has one value, the
 * texts of all values.
 *
 * Each session prepares each statement once: planned for each batch, an event took the workers half as long
 * again. PL/pgSQL keeps no plan of a statement that it makes, and passes no values to `execute`.
 */
const FORWARD = 'write_in_shard'

const CREATE_FORWARD = `create or replace function ${FORWARD}(agent_id uuid, statement text, given text[])
  returns integer language plpgsql as $$
declare
  own text := md5(statement);
  written integer;
begin
  perform from pg_prepared_statements where name = own;
  if not found then
    execute format('prepare %I (text[]) as %s', own, statement);
  end if;
  execute format('execute %I(%L)', own, given) into written;
  return written;
end
$$`

/** On a coordinator, and with it on each worker. */
export async function createShardFunctions(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(CREATE_HOLD)
  await client.query(`select create_distributed_function('${HOLD}(bigint[])')`)
  await client.query(CREATE_FORWARD)
  await client.query(
    `select create_distributed_function('${FORWARD}(uuid, text, text[])', '$1', colocate_with => 'agent_states')`,
  )
}

/** What is written to one shard. */
export interface ShardWrites {
  readonly shard: Shard
  /** An agent in the shard. */
  readonly agentId: string
  readonly writes: GuardedWrites
}

/** Writes on a connection to the server with these shards, all or nothing. Answers whether anything was written. */
export async function writeInShards(sql: Sql, parts: readonly ShardWrites[]): Promise<boolean> {
  const shards = parts.map(({ shard }) => shard)
  const send = (writes: GuardedWrites, shard: Shard) => {
    const { text, values } = guardedStatement(writes, binaryArraysOf)
    return sql<{ written: number | null }>(textIn(shard, text), values)
  }
  const [first, ...others] = parts
  if (first === undefined) {
    return false
  }
  if (others.length === 0) {
    const [row] = await send(held(shards, first.writes), first.shard)
    return row?.written === 1
  }
  // Sent together and run one after the other. After one that failed, the commit undoes all of them.
  const outcomes = await Promise.allSettled([
    sql('begin'),
    send(held(shards, failing(first.writes)), first.shard),
    ...others.map(({ shard, writes }) => send(failing(writes), shard)),
    sql('commit'),
  ])
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      throw outcome.reason
    }
  }
  return true
}

/** The writes to one shard, through the coordinator. */
export async function forwardToShard(sql: Sql, { shard, agentId, writes }: ShardWrites) {
  const { text, values } = guardedStatement(held([shard], writes), arraysOf)
  const [row] = await sql<{ written: number | null }>(
    `select ${FORWARD}($1::uuid, $2::text, $3::text[]) as written`,
    [agentId, withOneValue(textIn(shard, text)), arrayOf(values as readonly Value[])],
  )
  return row?.written === 1
}

function held(shards: readonly Shard[], writes: GuardedWrites): GuardedWrites {
  const ids = arrayOf(shards.map(({ id }) => id))
  return { ...writes, conditions: [...writes.conditions, { text: HELD, values: [ids] }] }
}

const HELD = `${HOLD}($1::bigint[])`

/** The same writes, but a key or a name that is in use fails them, and all others of the transaction. */
function failing(writes: GuardedWrites): GuardedWrites {
  return { ...writes, unused: [], conditions: [...writes.conditions, ...writes.unused] }
}

/** By the shard and the text. They are few: each batch has one of a dozen statements. */
const ofShards = new WeakMap<Shard, (text: string) => string>()

/** The statement with the tables of the shard. */
export function textIn(shard: Shard, text: string): string {
  const known = ofShards.get(shard)
  if (known) {
    return known(text)
  }
  const inShard = memoized((one) => one.replaceAll(TABLE, (name) => shard.tables.get(name) ?? name))
  ofShards.set(shard, inShard)
  return inShard(text)
}

/** A name behind one of these words is that of a table, of a function or of a part of the statement. */
const TABLE = /(?<=\b(?:from|into|join|update) )[a-z_]+\b/g

/** Every value as an element of one array. */
function withOneValue(text: string): string {
  return text.replaceAll(/\$(\d+)/g, '($$1)[$1]')
}

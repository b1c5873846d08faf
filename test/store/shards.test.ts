import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DISTRIBUTED, LOCAL } from '../../src/store/postgres/distributed-tables.ts'
import { readDistribution } from '../../src/store/postgres/distribution.ts'
import { hashOfUuid, shardOf } from '../../src/store/postgres/shards.ts'
import { openPool } from '../support/database.ts'

const pool = await openPool({ max: 1 })

test('a UUID has the same hash as in PostgreSQL', async () => {
  const ids = Array.from({ length: 200 }, () => randomUUID())
  const { rows } = await pool.query<{ hash: number }>(
    'select uuid_hash(id) as hash from unnest($1::uuid[]) with ordinality as t(id, i) order by i',
    [ids],
  )
  expect(ids.map(hashOfUuid)).toEqual(rows.map(({ hash }) => hash))
})

test('an agent is in the shard whose hash range includes its own hash', () => {
  const bounds = [-(2 ** 31), -(2 ** 30), 0, 2 ** 30]
  const ids = Array.from({ length: 200 }, () => randomUUID())
  for (const id of ids) {
    const shard = shardOf(bounds, id)
    expect(hashOfUuid(id)).toBeGreaterThanOrEqual(bounds[shard] ?? Number.NaN)
    expect(hashOfUuid(id)).toBeLessThan(bounds[shard + 1] ?? 2 ** 31)
  }
})

test('every table of the schema is distributed, or has a reason to stay on the coordinator', async () => {
  const { rows } = await pool.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  )
  const named = [...DISTRIBUTED, ...LOCAL].flatMap(({ tables }) => tables)
  expect(named.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('every distributed table has the agent in its key, and no foreign key', async () => {
  const tables = DISTRIBUTED.flatMap((group) => group.tables)
  const { rows: keys } = await pool.query<{ name: string; has_agent: boolean }>(
    `select c.relname as name, a.attnum = any(i.indkey) as has_agent
     from pg_index i join pg_class c on c.oid = i.indrelid
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'agent_id'
     where i.indisunique and c.relname = any($1)`,
    [tables],
  )
  expect(keys.filter((key) => !key.has_agent)).toEqual([])
  const { rows: foreign } = await pool.query(
    `select conname from pg_constraint
     where contype = 'f' and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))`,
    [tables],
  )
  expect(foreign).toEqual([])
})

test('a server without Citus is refused with what to do', async () => {
  await expect(readDistribution(pool)).rejects.toThrow(/has no Citus.*create extension citus/s)
})

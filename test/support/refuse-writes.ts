import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { createBatchClient } from '../../src/store/postgres/pool.ts'
import type { TestDatabase } from './database.ts'

interface Refused {
  readonly table: string
  readonly before: 'insert' | 'update' | 'delete' | 'insert or update'
  /** A condition on `new` or `old`. */
  readonly when: string
}

/** Makes each write of such a row fail until the answer is called, or the test is done. */
export async function refuseWrites(
  { url }: Pick<TestDatabase, 'url'>,
  { table, before, when }: Refused,
): Promise<() => Promise<void>> {
  const name = `refuse_${table}`
  const drop = () => within(url, (query) => query(`drop function if exists ${name} cascade`))
  onTestFinished(drop)
  await within(url, async (query) => {
    await query(`create function ${name}() returns trigger language plpgsql
      as $$ begin raise 'refused'; end $$`)
    // Citus refuses a trigger on a distributed table without it. A single server has no such setting, and ignores it.
    await query('set citus.enable_unsafe_triggers to on')
    await query(`create trigger ${name} before ${before} on ${table} for each row
      when (${when}) execute function ${name}()`)
  })
  return drop
}

/** On one connection, for statements that change a table: they wait for the writes under way. */
async function within(
  url: string,
  work: (query: (text: string) => Promise<pg.QueryResult>) => Promise<unknown>,
): Promise<void> {
  const client = createBatchClient({ url }, 'a test')
  await client.connect()
  try {
    await work((text) => client.query(text))
  } finally {
    await client.end()
  }
}

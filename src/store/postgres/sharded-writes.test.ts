import { expect, test } from 'vitest'
import { shardedWrites } from './sharded-writes.ts'
import type { Sql } from './sql.ts'

async function rewritten(text: string): Promise<string> {
  const sent: string[] = []
  const sql: Sql = Object.assign(async () => [], {
    async written(given: string) {
      sent.push(given.replaceAll(/\s+/g, ' '))
      return 0
    },
  })
  await shardedWrites(sql).written(text, [])
  return sent[0] ?? ''
}

test('an insert of rows by agent is rewritten to name its agents and to skip unknown ones', async () => {
  const text = `insert into names (name, agent_id)
    select name, agent_id from unnest($1::text[], $2::uuid[]) as t(name, agent_id)
    on conflict do nothing`
  expect(await rewritten(text)).toBe(
    'insert into names (name, agent_id) select name, there ' +
      'from (select agent_id as there from agent_states where agent_id = any($2::uuid[])) agents ' +
      'join unnest($1::text[], $2::uuid[]) as t(name, agent_id) on t.agent_id = agents.there ' +
      'on conflict do nothing',
  )
})

test('an update of states is rewritten to name its agents, and a statement about platforms is unchanged', async () => {
  const update =
    'update agent_states s set x = t.x from unnest($1::int[], $2::uuid[]) as t(x, agent_id) where s.agent_id = t.agent_id'
  expect(await rewritten(update)).toBe(`${update} and s.agent_id = any($2::uuid[])`)
  const other =
    'insert into platform_hours (platform_id) select id from unnest($1::uuid[]) as t(id)'
  expect(await rewritten(other)).toBe(other)
})

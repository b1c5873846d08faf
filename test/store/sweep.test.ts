import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { openPool } from '../support/database.ts'
import { holdLocks, waitForLocks, waitingForLocks } from '../support/hold-locks.ts'

const pool = await openPool()
const store = createPostgresStore(pool)

test.each([
  [
    'stored response',
    'storedResponses',
    'stored_responses (scope, fingerprint, sealed, expires_at)',
    [randomBytes(32), '', '', 1_000],
  ],
  [
    'response to a report',
    'reportResponses',
    'report_responses (agent_id, scope, fingerprint, sealed, expires_at)',
    [randomUUID(), randomBytes(32), '', '', 1_000],
  ],
  [
    'quota',
    'quotaRequests',
    'quota_requests (account, used, started_at)',
    [randomBytes(32), 9, 1_000],
  ],
] as const)(
  'a %s that is renewed while it is being deleted stays',
  async (_name, what, rows, row) => {
    const [table = '', time = ''] = [rows.split(' ')[0], /(\w+)\)$/.exec(rows)?.[1]]
    const values = row.map((_, i) => `$${i + 1}`)
    await pool.query(`insert into ${rows} values (${values})`, [...row])
    const client = await pool.connect()
    await client.query(`begin; update ${table} set ${time} = 3000`)
    const sweeping = store.sweep(what, 2_000)
    await waitForLocks(pool, 1, sweeping)
    await client.query('commit')
    client.release()
    expect(await sweeping).toBe(0)
    const { rows: left } = await pool.query(`select ${time} as time from ${table}`)
    expect(left).toEqual([{ time: 3_000 }])
  },
)

test('sign-ins are deleted by their time, failed and successful ones', async () => {
  for (const at of [1_000, 2_000, 3_000]) {
    const name = randomBytes(32)
    await store.loginFailures.insertAll([{ name, at }])
    await store.loginSuccesses.save({ name, at })
  }
  for (const [what, table] of [
    ['loginFailures', 'login_failures'],
    ['loginSuccesses', 'login_successes'],
  ] as const) {
    expect(await store.sweep(what, 2_000)).toBe(2)
    const { rows } = await pool.query(`select at from ${table}`)
    expect(rows).toEqual([{ at: 3_000 }])
  }
})

test('expired values of a mapping are deleted without waiting for those that are remembered again', async () => {
  const [platformId, agentId] = [randomUUID(), randomUUID()]
  for (const value of ['used', 'expired']) {
    await pool.query(
      `insert into remembered_agents (platform_id, mapping, value, agent_id, expires_at)
       values ($1, 'm', $2, $3, 1000)`,
      [platformId, value, agentId],
    )
  }
  await holdLocks(pool, {
    text: 'select from remembered_agents where platform_id = $1 and value = $2 for update',
    values: [platformId, 'used'],
  })
  const sweeping = store.sweep('rememberedAgents', 2_000)
  await waitForLocks(pool, 1, sweeping)
  expect(await waitingForLocks(pool)).toBe(0)
  expect(await sweeping).toBe(1)
})

import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { openPool } from '../support/database.ts'
import { waitForLocks } from '../support/hold-locks.ts'

const pool = await openPool()
const store = createPostgresStore(pool)

const hashOf = (value: string) => createHash('sha256').update(value).digest()

test('two payloads that name the same values in another order are both remembered', async () => {
  const [first, last] = ['a', 'b'].sort((a, b) => Buffer.compare(hashOf(a), hashOf(b))) as [
    string,
    string,
  ]
  const platformId = randomUUID()
  const agentId = randomUUID()
  const client = await pool.connect()
  const remember = (value: string) =>
    client.query(
      `insert into remembered_agents (platform_id, mapping, value, agent_id, expires_at)
       values ($1, 'm', $2, $3, 1)`,
      [platformId, hashOf(value), agentId],
    )
  await client.query('begin')
  await remember(first)
  const payload = { platformId, name: 'm', agentId, expiresAt: 2 }
  const remembered = store.mappings.remember({ ...payload, values: [last, first] })
  await waitForLocks(pool, 1, remembered)
  await remember(last)
  await client.query('commit')
  client.release()
  await remembered
  const { rows } = await pool.query('select distinct expires_at from remembered_agents')
  expect(rows).toEqual([{ expires_at: 2 }])
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MODEL } from '../../src/domain/model.ts'
import { registeredState } from '../../src/ingest/fold.ts'
import { insertAgentState } from '../../src/store/postgres/agent-state-writes.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { openPool } from '../support/database.ts'

test('every sample of agents is read by the same prepared statement, and one seed gives one sample', async () => {
  const pool = await openPool({ max: 1 })
  const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
  const ownerId = randomUUID()
  await pool.query('insert into owners (id, email, created_at) values ($1, $2, 0)', [
    ownerId,
    'ada@example.com',
  ])
  for (let i = 0; i < 30; i++) {
    const agent = { id: randomUUID(), ownerId, status: 'active', createdAt: 0 } as const
    await pool.query(
      `insert into agents
         (id, owner_id, display_name, metadata, has_public_profile, created_at, updated_at)
       values ($1, $2, 'agent', '{}', false, 0, 0)`,
      [agent.id, ownerId],
    )
    await insertAgentState(sqlOn(pool), { ...registeredState(MODEL, agent), seq: 1 })
  }
  const samples = []
  for (const seed of [20_000, 20_001, 20_000]) {
    samples.push(await store.agentStates.sample(10, seed))
  }
  const [one, other, again] = samples
  expect(one).toMatchObject({ agentsInAll: 30, ids: { length: 10 } })
  expect(again).toEqual(one)
  expect(other?.ids).not.toEqual(one?.ids)
  const { rows } = await pool.query(
    "select from pg_prepared_statements where statement like '%tablesample%' and name <> ''",
  )
  expect(rows).toHaveLength(1)
})

import { expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { ONE_SHARD } from '../../src/store/postgres/shards.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { atEnd } from '../support/at-end.ts'
import { newAgent, newOwner, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2 })
atEnd(() => pool.end())

test('the lowest score of the agents that an owner gave away takes a statement for each hundred', async () => {
  const { owner } = await newOwner(at)
  const { agent } = await newAgent(at)
  // The agent went back and forth: of 150 times only the last ended after its score was low.
  await pool.query(
    `insert into transfers (id, agent_id, from_owner_id, status, created_at, expires_at, ended_at)
     select gen_random_uuid(), $1, $2, 'accepted', n, n, n from generate_series(1, 150) n`,
    [agent.id, owner.id],
  )
  await pool.query(
    `insert into snapshots (agent_id, number, id, seq, score, event_count, breakdown, disputed,
       trigger, model_version, created_at)
     values ($1, 1, gen_random_uuid(), 1, 42, 1, '{}', '{}', '{}', '', 150)`,
    [agent.id],
  )
  let statements = 0
  pool.on('acquire', () => statements++)
  const cluster = { bounds: ONE_SHARD } as never
  for (const options of [{}, { cluster }]) {
    statements = 0
    const { agents } = createPostgresStore(pool, options)
    expect(await agents.lowScore(owner.id, 100, 0)).toBe(42)
    expect(statements).toBe(4)
    expect(await agents.lowScore(owner.id, 42, 0)).toBeNull()
    expect(await agents.lowScore(owner.id, 100, 151)).toBeNull()
  }
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { openOldPool } from '../support/database.ts'

const old = await openOldPool('0010')

const isLow = await ownerOf({ score: 60 })
const wasLow = await ownerOf({ score: 200, earlier: 80 })
const never = await ownerOf({ score: 200, earlier: 120 })

await migrate(old)
const { agents } = createPostgresStore(old)

test('after the upgrade, agents that had a low score before it limit the next agent of their owner', async () => {
  const lowest = [isLow, wasLow, never].map((ownerId) => agents.lowScore(ownerId, 100, 0))
  expect(await Promise.all(lowest)).toEqual([60, 80, null])
})

async function ownerOf({ score, earlier = score }: { score: number; earlier?: number }) {
  const [ownerId, agentId] = [randomUUID(), randomUUID()]
  await old.query(
    `insert into agent_states (agent_id, owner_id, status, evidence, profile, score, is_disputed,
       snapshot_count, seq, chain, quarantined_count, reporter_hours, credential_floor, model_version, updated_at)
     values ($1, $2, 'active', '', '', $3, false, 1, 1, '', 0, '[]', 0, '', 2)`,
    [agentId, ownerId, score],
  )
  await old.query(
    `insert into snapshots (agent_id, number, id, seq, score, event_count, breakdown, disputed, trigger,
       model_version, created_at)
     values ($1, 1, $2, 1, $3, 1, '{}', '{}', '{}', '', 1)`,
    [agentId, randomUUID(), earlier],
  )
  return ownerId
}

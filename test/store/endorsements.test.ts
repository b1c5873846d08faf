import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MODEL } from '../../src/domain/model.ts'
import { registeredState } from '../../src/ingest/fold.ts'
import { insertAgentState } from '../../src/store/postgres/agent-state-writes.ts'
import { readEndorsements, saveEndorsements } from '../../src/store/postgres/endorsements.ts'
import { sqlOn } from '../../src/store/postgres/sql.ts'
import { openPool } from '../support/database.ts'

const pool = await openPool({ max: 1 })
const sql = sqlOn(pool)

const pair = (fromOwner: string, toOwner: string) => ({ fromOwner, toOwner })

async function agentOf(ownerId: string): Promise<string> {
  const id = randomUUID()
  await pool.query('insert into owners (id, email, created_at) values ($1, $2, 0)', [
    ownerId,
    `${ownerId}@example.com`,
  ])
  await pool.query(
    `insert into agents
       (id, owner_id, display_name, metadata, has_public_profile, created_at, updated_at)
     values ($1, $2, 'agent', '{}', false, 0, 0)`,
    [id, ownerId],
  )
  const agent = { id, ownerId, status: 'active', createdAt: 0 } as const
  await insertAgentState(sql, registeredState(MODEL, agent))
  return id
}

test('endorsements between a platform’s owner and the agents’ owners are read in both directions, and no others', async () => {
  const [reporter = '', mutual = '', onlyTo = '', onlyFrom = '', stranger = ''] = Array.from(
    { length: 5 },
    () => randomUUID(),
  )
  const known = [
    pair(reporter, mutual),
    pair(mutual, reporter),
    pair(reporter, onlyTo),
    pair(onlyFrom, reporter),
  ]
  const crowd = Array.from({ length: 200 }, () => randomUUID())
  const others = crowd.flatMap((id) => [pair(id, reporter), pair(reporter, id), pair(id, mutual)])
  await saveEndorsements(sql, [...known, ...others, pair(stranger, mutual)])
  await saveEndorsements(sql, known)
  const agents = await Promise.all([mutual, onlyTo, onlyFrom].map(agentOf))
  const by = (ownerId: string) => agents.map((agentId) => ({ ownerId, agentId }))
  const read = await readEndorsements(sql, by(reporter))
  expect(read).toHaveLength(known.length)
  expect(read).toEqual(expect.arrayContaining(known))
  expect(await readEndorsements(sql, [])).toEqual([])
  expect(await readEndorsements(sql, by(stranger).slice(1))).toEqual([])
})

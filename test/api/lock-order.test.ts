import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { PATIENT } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { holdLocks, lockAgent, waitForLocks } from '../support/hold-locks.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService(
  { STANDING_RATE_LIMITS: 'off' },
  // What waits for the wrong lock waits until the test ends.
  { databaseLimits: PATIENT },
)
const pool = createPool({ url: at.database.url }, { max: 3 })
afterAll(() => pool.end())

test('a registration that waits for the parent delays neither credentials nor offers of the owner’s other agents', async () => {
  const owner = await newOwner(at)
  const { client } = owner
  const { agent: parent } = await newAgent(at, owner)
  const { agent: other } = await newAgent(at, owner)
  const { owner: buyer } = await newOwner(at)
  const unlock = await lockAgent(pool, parent.id)
  const child = client.agents.register({ displayName: 'child', parentId: parent.id })
  await waitForLocks(pool, 1, child)
  const claims = { grade: 'A' }
  const issued = await client.credentials.issue({
    agentId: other.id,
    type: 'SecurityAudit',
    claims,
  })
  const offered = await client.transfers.offer(other.id, { toOwnerId: buyer.id })
  expect([issued.agentId, offered.agentId]).toEqual([other.id, other.id])
  await unlock()
  expect(await child).toMatchObject({ parentId: parent.id })
})

test('an erasure of an account with test data delays no entry of the audit log while it waits', async () => {
  const owner = await newOwner(at)
  const { agent } = await newAgent(at, owner)
  await owner.client.with({ mode: 'test' }).agents.register({ displayName: 'test' })
  const { owner: buyer } = await newOwner(at)
  const { id } = await owner.client.transfers.offer(agent.id, { toOwnerId: buyer.id })
  // As an acceptance does, which then waits for the head of the audit log.
  const unlock = await holdLocks(pool, {
    text: 'select from transfers where id = $1 for update',
    values: [id],
  })
  const { operator } = at.operator
  const erased = operator.eraseOwner(owner.owner.id, owner.email)
  await waitForLocks(pool, 1, erased)
  await newPlatform(at)
  await unlock()
  await erased
  const actions = (await operator.audit({ limit: 3 })).data.map(({ action }) => action)
  expect(actions).toEqual(['owner.erased', 'owner.erased', 'platform.created'])
})

test('an erasure that waits for an agent has locked nothing of it, and leaves it to the owner that it passes to meanwhile', async () => {
  const owner = await newOwner(at)
  const { agent } = await newAgent(at, owner)
  const { owner: buyer } = await newOwner(at)
  const passed = [agent.id, buyer.id]
  const client = await pool.connect()
  await client.query('begin')
  await client.query('select from agent_states where agent_id = $1 for update', [agent.id])
  const { operator } = at.operator
  await operator.eraseOwner(owner.owner.id, owner.email)
  await waitForLocks(pool, 1)
  await client.query("set local lock_timeout = '10ms'")
  await client.query('update agents set owner_id = $2 where id = $1', passed)
  await client.query('update agent_states set owner_id = $2 where agent_id = $1', passed)
  await client.query('commit')
  client.release()
  await eventually(async () =>
    expect((await operator.ownerErasure(owner.owner.id)).status).toBe('done'),
  )
  expect(await at.anyone.score.get(agent.id)).toMatchObject({ score: 100 })
})

test('what collides with another transaction each time gets 503, and nothing is written', async () => {
  const { agent, owner } = await newAgent(at)
  await pool.query(`create function collide() returns trigger language plpgsql
    as $$ begin raise 'collision' using errcode = 'deadlock_detected'; end $$`)
  await pool.query(`create trigger collide before insert on credentials for each row
    when (new.type = 'Collision') execute function collide()`)
  const input = { agentId: agent.id, claims: {} }
  await expect(
    owner.client.credentials.issue({ ...input, type: 'Collision' }),
  ).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/busy/) })
  await owner.client.credentials.issue({ ...input, type: 'Other' })
  expect((await owner.client.credentials.list({ agentId: agent.id })).data).toHaveLength(1)
})

test('the hour of a platform is there to be locked before its first report', async () => {
  const { platform } = await newPlatform(at)
  const { rows } = await pool.query('select count from platform_hours where platform_id = $1', [
    platform.id,
  ])
  expect(rows).toEqual([{ count: 0 }])
})

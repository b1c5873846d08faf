import { expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { atEnd } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'
import { holdLocks, lockAgent } from '../support/hold-locks.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 6 })
atEnd(() => pool.end())
const { reviews } = createPostgresStore(pool)

/** An agent with an event whose release was decided, and is left to the background. */
async function agentAwaitingRelease() {
  const { agent } = await newAgent(at)
  const { client: platform } = await newPlatform(at)
  const contradictory = { type: 'task.completed', data: { success: false } } as const
  const event = await platform.events.submit(agent.id, contradictory)
  const unlock = await holdLocks(pool, {
    text: `select pg_advisory_xact_lock(hashtextextended('releases ' || $1, 0))`,
    values: [agent.id],
  })
  const review = {
    status: 'released',
    decisions: [{ decision: 'released', reason: 'seen', decidedAt: Date.now() }],
    appeal: null,
    counted: null,
  }
  await pool.query('update events set review = $2 where id = $1', [event.id, review])
  return { agentId: agent.id, unlock }
}

async function awaiting(): Promise<readonly string[]> {
  return reviews.agentsAwaitingRelease(10)
}

test('a release that fails, because its agent is locked, delays those of no other agent', async () => {
  const both = [await agentAwaitingRelease(), await agentAwaitingRelease()]
  const [first = '', second = ''] = await awaiting()
  const unlock = await lockAgent(pool, first)
  for (const one of both) {
    await one.unlock()
  }
  await eventually(async () => expect(await awaiting()).not.toContain(second))
  expect(await awaiting()).toEqual([first])
  await unlock()
  await eventually(async () => expect(await awaiting()).toEqual([]))
})

test('an erasure that fails, because its agent is locked, delays no other erasure', async () => {
  const blocked = await newOwner(at)
  const { agent } = await newAgent(at, blocked)
  const other = await newOwner(at)
  const unlock = await lockAgent(pool, agent.id)
  await blocked.client.auth.erase(blocked.email)
  await other.client.auth.erase(other.email)
  const statusOf = async ({ owner }: typeof other) =>
    (await at.operator.operator.ownerErasure(owner.id)).status
  await eventually(async () => expect(await statusOf(other)).toBe('done'))
  expect(await statusOf(blocked)).toBe('running')
  await unlock()
})

test('ten erasures that always fail delay no other erasure', async () => {
  const failing = await Promise.all(Array.from({ length: 10 }, () => newOwner(at)))
  const other = await newOwner(at)
  const ids = failing.map(({ owner }) => owner.id)
  onTestFinished(async () => {
    await pool.query('drop function refuse_end cascade')
  })
  await pool.query(`
    create function refuse_end() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse_end before update on erasures for each row
      when (new.subject_id = any('{${ids.join()}}'::uuid[])) execute function refuse_end()`)
  for (const { client, email } of [...failing, other]) {
    await client.auth.erase(email)
  }
  const statusOf = async (id: string) => (await at.operator.operator.ownerErasure(id)).status
  await eventually(async () => expect(await statusOf(other.owner.id)).toBe('done'))
  expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'running'))
})

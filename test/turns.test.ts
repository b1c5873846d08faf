import { Standing } from '@standing/sdk'
import { expect, test } from 'vitest'
import { createPool } from '../src/store/postgres/pool.ts'
import { createPostgresStore } from '../src/store/postgres/store.ts'
import { atEnd } from './support/at-end.ts'
import { PATIENT } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { holdLocks } from './support/hold-locks.ts'
import { importPast } from './support/past.ts'
import { newAgent, newPlatform, OPERATOR_KEY, startService } from './support/service.ts'

const DAY_MS = 86_400_000

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2, limits: PATIENT })
atEnd(() => pool.end())
const { turns } = createPostgresStore(pool)

const RETENTION = { STANDING_RETENTION: 'texts=100' }

/** Starts a node with these settings. Its first round of retention has ended. */
async function nodeWith(retention: Readonly<Record<string, string>>, lockMs = PATIENT.lockMs) {
  const node = await at.node(retention, { databaseLimits: { ...PATIENT, lockMs } })
  const { operator } = new Standing({ baseUrl: node.url, operatorKey: OPERATOR_KEY })
  const job = await eventually(async () => {
    const found = (await operator.jobs()).jobs.find(({ name }) => name === 'retention')
    expect(found?.lastSucceededAt ?? found?.lastError).not.toBeNull()
    return found
  })
  return { node, job }
}

/** An agent with a text of so many days ago. */
async function agentWithText(daysAgo: number): Promise<string> {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const data = { errorCode: 'private' }
  const line = { at: Date.now() - daysAgo * DAY_MS, type: 'task.failed', data }
  await importPast(at, [{ ...line, agent: agent.id, by: platform.id }])
  return agent.id
}

async function hasText(agentId: string): Promise<boolean> {
  return (await at.operator.events.export(agentId)).includes('private')
}

test('of nodes with the same settings one removes old data, until its turn is over or the settings change', async () => {
  expect((await nodeWith(RETENTION)).job).toMatchObject({ failures: 0 })
  const [older, newer] = [await agentWithText(200), await agentWithText(50)]
  expect((await nodeWith(RETENTION)).job).toMatchObject({ failures: 0 })
  expect(await hasText(older)).toBe(true)
  // As if the node that had the turn had died, or a day had passed.
  await pool.query('update turns set until = until - $1::bigint', [DAY_MS])
  await nodeWith(RETENTION)
  expect([await hasText(older), await hasText(newer)]).toEqual([false, true])
  await nodeWith({ STANDING_RETENTION: 'texts=10' })
  expect(await hasText(newer)).toBe(false)
})

test('a node that could not remove all old data leaves the turn to the next', async () => {
  const retention = { STANDING_RETENTION: 'texts=101' }
  const agentId = await agentWithText(200)
  const unlock = await holdLocks(pool, {
    text: 'select from agent_states where agent_id = $1 for update',
    values: [agentId],
  })
  expect((await nodeWith(retention, 100)).job).toMatchObject({ failures: 1 })
  await unlock()
  await nodeWith(retention)
  expect(await hasText(agentId)).toBe(false)
})

test('a turn is taken by one of many that ask at once, and again when its time is over', async () => {
  const ask = () => Promise.all(Array.from({ length: 8 }, () => turns.take('work', 3_600_000)))
  const count = (taken: readonly (number | null)[]) =>
    taken.filter((until) => until !== null).length
  expect(count(await ask())).toBe(1)
  expect(count(await ask())).toBe(0)
  await pool.query(`update turns set until = until - 3600000 where job = 'work'`)
  expect(count(await ask())).toBe(1)
})

test('a turn that ends later than it can, because the clock was set back, is over', async () => {
  expect(await turns.take('late', 1_000)).not.toBeNull()
  await pool.query(`update turns set until = until + 3600000 where job = 'late'`)
  expect(await turns.take('late', 1_000)).not.toBeNull()
})

test('a node that ends its turn late does not end that of the next node', async () => {
  const first = await turns.take('slow', 1_000)
  await pool.query(`update turns set until = until - 3600000 where job = 'slow'`)
  const second = await turns.take('slow', 3_600_000)
  await turns.giveBack('slow', first ?? 0)
  expect(await turns.take('slow', 3_600_000)).toBeNull()
  await turns.giveBack('slow', second ?? 0)
  expect(await turns.take('slow', 3_600_000)).not.toBeNull()
})

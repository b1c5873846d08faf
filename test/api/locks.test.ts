import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { PATIENT } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { holdLocks, lockAgent, waitForLocks, waitingForLocks } from '../support/hold-locks.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2 })
afterAll(() => pool.end())

const { client: platform } = await newPlatform(at)

function report(agentId: string, externalId: string, by = platform) {
  return by.events.submit(agentId, { type: 'task.completed', externalId })
}

test('a locked agent delays no report about another; reports about it follow, each once', async () => {
  const { agent: locked, client } = await newAgent(at)
  const { agent: other } = await newAgent(at)
  const names = Array.from({ length: 8 }, (_, i) => `event ${i}`)
  const unlock = await lockAgent(pool, locked.id)
  let answered = 0
  const early = names.slice(0, 5).map((name) => report(locked.id, name))
  for (const one of early) {
    one.then(() => answered++).catch(() => {})
  }
  for (const name of ['one', 'two', 'three']) {
    await report(other.id, name)
  }
  const late = names.slice(5).map((name) => report(locked.id, name))
  await report(other.id, 'four')
  expect(answered).toBe(0)
  await unlock()
  await Promise.all([...early, ...late])
  const { data } = await client.events.list()
  expect(data.map(({ externalId }) => externalId).sort()).toEqual(names)
  expect((await at.anyone.score.get(locked.id)).eventCount).toBe(8)
})

test('a locked agent’s reports time out with 503 and can be retried; other agents are unaffected', async () => {
  const { agent, client } = await newAgent(at)
  const { agent: other } = await newAgent(at)
  const node = await at.node({}, { databaseLimits: { ...PATIENT, lockMs: 250 } })
  const hurried = platform.with({ baseUrl: node.url })
  const unlock = await lockAgent(pool, agent.id)
  const refused = expect(report(agent.id, 'kept out', hurried)).rejects.toMatchObject({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/busy/),
  })
  await report(other.id, 'five', hurried)
  await refused
  await report(other.id, 'six', hurried)
  await unlock()
  await report(agent.id, 'kept out', hurried)
  expect((await client.events.list()).data).toHaveLength(1)
})

test('an unknown agent is NOT_FOUND, even while another agent is locked', async () => {
  const { agent } = await newAgent(at)
  const unlock = await lockAgent(pool, agent.id)
  const waits = report(agent.id, 'seven')
  const nobody = '00000000-0000-4000-8000-000000000000'
  await expect(report(nobody, 'eight')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await unlock()
  await waits
})

test('two logs are replayed at a time for the quarantined score, fifty wait, and the rest get 503', async () => {
  const { agent, owner } = await newAgent(at)
  const unlock = await holdLocks(pool, { text: 'lock table events in access exclusive mode' })
  const refusals: { message: string }[] = []
  const asked = Array.from({ length: 60 }, () =>
    owner.client.score.getQuarantined(agent.id).catch((error) => {
      refusals.push(error)
      return null
    }),
  )
  await eventually(() => expect(refusals).toHaveLength(8))
  for (const { message } of refusals) {
    expect(message).toMatch(/replay an event log/)
  }
  await unlock()
  const answers = await Promise.all(asked)
  expect(answers.filter((answer) => answer !== null)).toHaveLength(52)
})

test('changes of one owner that wait for each other leave connections to the others', async () => {
  const { owner, client } = await newOwner(at)
  const unlock = await holdLocks(pool, {
    text: 'select from owners where id = $1 for update',
    values: [owner.id],
  })
  const registered = Array.from({ length: 20 }, () =>
    client.agents.register({ displayName: 'one of many' }),
  )
  const settled = Promise.allSettled(registered)
  // Of the twelve connections, and of the eight that changes may take.
  await waitForLocks(pool, 4, ...registered)
  expect(await waitingForLocks(pool)).toBeLessThanOrEqual(4)
  await newAgent(at)
  expect(await waitingForLocks(pool)).toBeLessThanOrEqual(4)
  await unlock()
  await settled
})

test('a bulk review searches the queue before its transaction, and takes no lock meanwhile', async () => {
  const { agent } = await newAgent(at)
  const contradictory = { type: 'task.completed', data: { success: false } } as const
  const { id } = await platform.events.submit(agent.id, contradictory)
  const unlock = await holdLocks(pool, { text: 'lock table events in access exclusive mode' })
  const input = { agentId: agent.id, decision: 'upheld', reason: 'seen' } as const
  const reviewed = at.operator.operator.reviewAll(input, { idempotencyKey: 'once' })
  // A transaction would hold the lock of its key.
  const searching = await eventually(async () => {
    const { rows } = await pool.query<{ locks: number }>(
      `select (select count(*)::int from pg_locks l where l.pid = a.pid and locktype = 'advisory') as locks
       from pg_stat_activity a where datname = current_database() and wait_event_type = 'Lock'
         and query like 'select created_at, id from events%'`,
    )
    expect(rows).toHaveLength(1)
    return rows
  })
  expect(searching).toEqual([{ locks: 0 }])
  await unlock()
  expect(await reviewed).toMatchObject({ reviewed: 1, more: false, data: [{ id }] })
})

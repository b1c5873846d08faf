import { Standing } from '@standing/sdk'
import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { newAgent, newOwner, newPlatform, PASSWORD, startService } from '../support/service.ts'

// The clock stands still, so nothing that a node caches ever expires: a change on another node is seen here
// only if a message says so.
const clock = createTestClock('2026-06-15T11:00:00.000Z')
const at = await startService({}, { now: clock.now })
const other = await at.node()
const database = createPool({ url: at.database.url }, { max: 1 })
afterAll(() => database.end())

await notified(other.url)
await notified(at.url)

const TASK = { type: 'task.completed', data: { success: true } } as const
const TIERS = '/v1/scores/classifications'

/** Resolves once the node hears what others change. */
function notified(url: string, value = 1): Promise<void> {
  return soon(async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain(`\nstanding_notify_connected ${value}\n`)
  })
}

/** A notification is on its way for a moment; nothing here waits longer than it takes. */
function soon(check: () => Promise<void>): Promise<void> {
  return eventually(check, { interval: 5 })
}

function there(credential: { token: string } | { apiKey: string }): Standing {
  return new Standing({ baseUrl: other.url, ...credential, retriesMax: 0 })
}

async function policyOf(headers: Readonly<Record<string, string>>): Promise<string | null> {
  const answer = await fetch(other.url + TIERS, { headers })
  await answer.arrayBuffer()
  return answer.headers.get('ratelimit-policy')
}

test('a new tier applies on every node at once, for the owner and the owner’s agents', async () => {
  const { owner, agent } = await newAgent(at)
  const callers = [{ authorization: `Bearer ${owner.token}` }, { 'x-api-key': agent.apiKey }]
  for (const headers of callers) {
    expect(await policyOf(headers)).toBe('"rpm";q=100;w=60')
  }
  await at.operator.operator.setOwnerTier(owner.owner.id, 'growth')
  for (const headers of callers) {
    await soon(async () => expect(await policyOf(headers)).toBe('"rpm";q=1000;w=60'))
  }
})

test('a new tier or status of a platform applies on every node at once', async () => {
  const { platform } = await newPlatform(at)
  const headers = { 'x-api-key': platform.apiKey }
  expect(await policyOf(headers)).toBe('"rpm";q=10000;w=60')
  await at.operator.operator.updatePlatform(platform.id, { tier: 'growth' })
  await soon(async () => expect(await policyOf(headers)).toBe('"rpm";q=1000;w=60'))
  await at.operator.operator.updatePlatform(platform.id, { status: 'suspended' })
  await soon(async () => expect((await fetch(other.url + TIERS, { headers })).status).toBe(403))
})

test("a deactivated agent's key is refused on every node at once, and its score says so", async () => {
  const { owner, agent } = await newAgent(at)
  const its = there({ apiKey: agent.apiKey })
  expect(await its.agents.me()).toMatchObject({ id: agent.id })
  expect(await its.score.get(agent.id)).toMatchObject({ status: 'active' })
  await owner.client.agents.deactivate(agent.id)
  await soon(() => expect(its.agents.me()).rejects.toMatchObject({ status: 401 }))
  const anyone = new Standing({ baseUrl: other.url, retriesMax: 0 })
  expect(await anyone.score.get(agent.id)).toMatchObject({ status: 'deactivated' })
})

test('a key that was replaced without overlap is refused on every node at once', async () => {
  const { owner, agent } = await newAgent(at)
  const its = there({ apiKey: agent.apiKey })
  expect(await its.agents.me()).toMatchObject({ id: agent.id })
  const { apiKey } = await owner.client.agents.rotateKey(agent.id, { overlapSeconds: 0 })
  await soon(() => expect(its.agents.me()).rejects.toMatchObject({ status: 401 }))
  expect(await there({ apiKey }).agents.me()).toMatchObject({ id: agent.id })
})

test('a changed password ends earlier tokens on every node at once', async () => {
  const { token, client } = await newOwner(at)
  const earlier = there({ token })
  expect((await earlier.agents.list()).data).toEqual([])
  const session = await client.auth.changePassword({
    currentPassword: PASSWORD,
    newPassword: `${PASSWORD} too`,
  })
  await soon(() => expect(earlier.agents.list()).rejects.toMatchObject({ status: 401 }))
  expect((await there({ token: session.token }).agents.list()).data).toEqual([])
})

test('an event stored by one node changes the score that another node has cached', async () => {
  const { agent } = await newAgent(at)
  const { client: platform } = await newPlatform(at)
  const anyone = new Standing({ baseUrl: other.url, retriesMax: 0 })
  expect(await anyone.score.get(agent.id)).toMatchObject({ score: 100, eventCount: 0 })
  await platform.events.report(agent.id, [TASK, { ...TASK, data: { duration: 5 } }])
  await soon(async () => expect(await anyone.score.get(agent.id)).toMatchObject({ eventCount: 2 }))
})

test('a change without a notification stays cached, which shows that these tests depend on notifications', async () => {
  const { token, owner } = await newOwner(at)
  const headers = { authorization: `Bearer ${token}` }
  expect(await policyOf(headers)).toBe('"rpm";q=100;w=60')
  await database.query("update owners set tier = 'growth' where id = $1", [owner.id])
  expect(await policyOf(headers)).toBe('"rpm";q=100;w=60')
})

test('changes during a lost connection are applied after it, and notifications arrive again', async () => {
  const { token, owner } = await newOwner(at)
  const headers = { authorization: `Bearer ${token}` }
  expect(await policyOf(headers)).toBe('"rpm";q=100;w=60')
  const { rowCount } = await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'standing listener' and datname = current_database()`,
  )
  expect(rowCount).toBe(2)
  await notified(other.url, 0)
  await database.query("update owners set tier = 'growth' where id = $1", [owner.id])
  await notified(other.url)
  await soon(async () => expect(await policyOf(headers)).toBe('"rpm";q=1000;w=60'))
  await notified(at.url)
  await at.operator.operator.setOwnerTier(owner.id, 'platform')
  await soon(async () => expect(await policyOf(headers)).toBe('"rpm";q=10000;w=60'))
})

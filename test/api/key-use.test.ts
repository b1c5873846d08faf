import { afterAll, expect, test } from 'vitest'
import { deleteExpired } from '../../src/retention/expired.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createTestClock } from '../support/clock.ts'
import { send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const DAY_MS = 86_400_000

const clock = createTestClock('2026-06-15T11:00:00.000Z')
const at = await startService({}, { now: clock.now })
const { agents, operator } = at.operator
const pool = createPool({ url: at.database.url }, { max: 1 })
const store = createPostgresStore(pool)
afterAll(() => pool.end())

test('the last use of a key is shown to the owner, the operator and the agent itself, in no public answer', async () => {
  const { agent, owner, client } = await newAgent(at)
  const { platform } = await newPlatform(at)
  await owner.client.agents.update(agent.id, { publicProfile: true })
  expect(agent.keyLastUsedAt).toBeNull()
  expect(platform.keyLastUsedAt).toBeNull()
  clock.move(60_000)
  const node = await at.node()
  for (const key of [agent.apiKey, platform.apiKey]) {
    await send(`${node.url}/v1/platforms/${platform.id}`, { key })
  }
  // A node writes it down once a minute, and when it stops.
  await node.close()
  const keyLastUsedAt = new Date(clock.now()).toISOString()
  clock.move(60_000)
  const known = { id: agent.id, keyLastUsedAt }
  expect(await owner.client.agents.get(agent.id)).toMatchObject(known)
  expect((await owner.client.agents.list()).data).toMatchObject([known])
  expect(await client.agents.me()).toMatchObject(known)
  expect(await agents.get(agent.id)).toMatchObject(known)
  expect(await operator.updatePlatform(platform.id, { name: 'Bazaar' })).toMatchObject({
    name: 'Bazaar',
    keyLastUsedAt,
  })
  const { agent: other } = await newAgent(at)
  for (const [path, key] of [
    [`/v1/agents/${agent.id}`, other.apiKey],
    [`/v1/agents/${agent.id}/profile`, undefined],
    [`/v1/agents/${agent.id}/score`, undefined],
    [`/v1/lookup?identifier=standing:${agent.id}`, undefined],
    [`/v1/platforms/${platform.id}`, owner.token],
  ] as const) {
    const { status, text } = await send(at.url + path, key === undefined ? {} : { key })
    expect(status, path).toBe(200)
    expect(text).not.toContain('LastUsed')
    expect(text).not.toContain('apiKeys')
  }
})

test('while a rotation overlaps, the last use of the old key and of the new one are shown apart', async () => {
  const { agent, owner } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const dora = await operator.createOperator('dora')
  const firstAt = new Date(clock.now()).toISOString()
  const node = await at.node()
  const use = async (key: string) =>
    expect((await send(`${node.url}/v1/platforms/${platform.id}`, { key })).status).toBe(200)
  clock.move(60_000)
  const secondAt = new Date(clock.now()).toISOString()
  const rotated = [
    await owner.client.agents.rotateKey(agent.id),
    await operator.rotatePlatformKey(platform.id),
  ]
  const newOperatorKey = (await operator.rotateOperatorKey('dora')).apiKey
  const expiresAt = new Date(clock.now() + 3_600_000).toISOString()
  clock.move(60_000)
  const newUsedAt = new Date(clock.now()).toISOString()
  for (const key of [rotated[0]?.apiKey, rotated[1]?.apiKey, newOperatorKey]) {
    await use(key ?? '')
  }
  clock.move(60_000)
  const oldUsedAt = new Date(clock.now()).toISOString()
  for (const key of [agent.apiKey, platform.apiKey, dora.apiKey]) {
    await use(key)
  }
  await node.close()
  const shown = async () => [
    await agents.get(agent.id),
    (await operator.listPlatforms()).data.find(({ id }) => id === platform.id),
  ]
  const newKey = { createdAt: secondAt, lastUsedAt: newUsedAt, expiresAt: null }
  const oldKey = { createdAt: firstAt, lastUsedAt: oldUsedAt, expiresAt }
  for (const record of await shown()) {
    expect(record).toMatchObject({
      keyLastUsedAt: oldUsedAt,
      apiKeys: [newKey, oldKey],
    })
  }
  expect((await operator.operators()).find(({ name }) => name === 'dora')).toMatchObject({
    lastUsedAt: oldUsedAt,
    apiKeys: [newKey, oldKey],
  })
  clock.move(3_600_000)
  for (const record of await shown()) {
    expect(record).toMatchObject({ keyLastUsedAt: oldUsedAt, apiKeys: [newKey, oldKey] })
  }
  // A key that has ended is deleted after a day.
  clock.move(DAY_MS)
  await deleteExpired(store, clock.now())
  for (const record of await shown()) {
    expect(record).toMatchObject({ keyLastUsedAt: newUsedAt, apiKeys: [newKey] })
  }
})

test('the last use of a key that was ended at once stays visible, apart from that of the new key', async () => {
  const { agent, owner } = await newAgent(at)
  const dora = await operator.createOperator('doris')
  const createdAt = new Date(clock.now()).toISOString()
  const node = await at.node()
  for (const key of [agent.apiKey, dora.apiKey]) {
    expect((await send(`${node.url}/v1/agents/${agent.id}`, { key })).status).toBe(200)
  }
  await node.close()
  clock.move(60_000)
  await owner.client.agents.rotateKey(agent.id, { overlapSeconds: 0 })
  await operator.revokeOperator('doris')
  const expiresAt = new Date(clock.now()).toISOString()
  const leaked = { createdAt, lastUsedAt: createdAt, expiresAt }
  expect(await owner.client.agents.get(agent.id)).toMatchObject({
    keyLastUsedAt: createdAt,
    apiKeys: [{ createdAt: expiresAt, lastUsedAt: null, expiresAt: null }, leaked],
  })
  expect((await operator.operators()).find(({ name }) => name === 'doris')).toMatchObject({
    status: 'revoked',
    apiKeys: [leaked],
  })
})

test('the new owner of an agent is shown nothing of the keys of the former owner, which end on every node', async () => {
  const { agent, owner } = await newAgent(at)
  const buyer = await newOwner(at)
  const node = await at.node()
  const use = async (key: string) =>
    (await send(`${node.url}/v1/agents/${agent.id}`, { key })).status
  const { apiKey } = await owner.client.agents.rotateKey(agent.id, { overlapSeconds: 60 })
  expect([await use(agent.apiKey), await use(apiKey)]).toEqual([200, 200])
  clock.move(59_000)
  const offer = await owner.client.transfers.offer(agent.id, { toOwnerId: buyer.owner.id })
  const { agent: bought } = await buyer.client.transfers.accept(offer.id)
  const createdAt = new Date(clock.now()).toISOString()
  const ofBuyer = {
    keyLastUsedAt: null,
    apiKeys: [{ createdAt, lastUsedAt: null, expiresAt: null }],
  }
  expect(bought).toMatchObject(ofBuyer)
  expect([await use(agent.apiKey), await use(apiKey)]).toEqual([401, 401])
  await node.close()
  expect(await buyer.client.agents.get(agent.id)).toMatchObject(ofBuyer)
})

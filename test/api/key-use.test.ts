import { expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const clock = createTestClock('2026-06-15T11:00:00.000Z')
const at = await startService({}, { now: clock.now })
const { agents, operator } = at.operator

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
    await owner.client.agents.get(agent.id),
    (await operator.listPlatforms()).data.find(({ id }) => id === platform.id),
  ]
  const newKey = { createdAt: secondAt, lastUsedAt: newUsedAt, expiresAt: null }
  for (const record of await shown()) {
    expect(record).toMatchObject({
      keyLastUsedAt: oldUsedAt,
      apiKeys: [newKey, { createdAt: firstAt, lastUsedAt: oldUsedAt, expiresAt }],
    })
  }
  expect((await operator.operators()).find(({ name }) => name === 'dora')).toMatchObject({
    lastUsedAt: oldUsedAt,
    apiKeys: [newKey, { createdAt: firstAt, lastUsedAt: oldUsedAt, expiresAt }],
  })
  clock.move(3_600_000)
  for (const record of await shown()) {
    expect(record).toMatchObject({ keyLastUsedAt: newUsedAt, apiKeys: [newKey] })
  }
})

test('after a rotation without an overlap, no use of the old key is shown as one of the new key', async () => {
  const { agent, owner } = await newAgent(at)
  const node = await at.node()
  await send(`${node.url}/v1/agents/${agent.id}`, { key: agent.apiKey })
  clock.move(60_000)
  await owner.client.agents.rotateKey(agent.id, { overlapSeconds: 0 })
  const createdAt = new Date(clock.now()).toISOString()
  await node.close()
  expect(await owner.client.agents.get(agent.id)).toMatchObject({
    keyLastUsedAt: null,
    apiKeys: [{ createdAt, lastUsedAt: null, expiresAt: null }],
  })
})

test('a use that a node writes after the agent was erased is not stored', async () => {
  const { agent, owner } = await newAgent(at)
  const node = await at.node()
  expect((await send(`${node.url}/v1/agents/${agent.id}`, { key: agent.apiKey })).status).toBe(200)
  await owner.client.agents.erase(agent.id)
  const erased = () => agents.get(agent.id)
  await eventually(async () => expect(await erased()).toMatchObject({ apiKeys: [] }))
  await node.close()
  expect(await erased()).toMatchObject({ keyLastUsedAt: null, apiKeys: [] })
})

test('the new owner of an agent is not shown when the former owner used its key', async () => {
  const { agent, owner } = await newAgent(at)
  const buyer = await newOwner(at)
  const node = await at.node()
  const use = () => send(`${node.url}/v1/agents/${agent.id}`, { key: agent.apiKey })
  await use()
  clock.move(60_000)
  const offer = await owner.client.transfers.offer(agent.id, { toOwnerId: buyer.owner.id })
  const { agent: bought } = await buyer.client.transfers.accept(offer.id)
  const createdAt = new Date(clock.now()).toISOString()
  const ofBuyer = {
    keyLastUsedAt: null,
    apiKeys: [{ createdAt, lastUsedAt: null, expiresAt: null }],
  }
  expect(bought).toMatchObject(ofBuyer)
  await node.close()
  expect(await buyer.client.agents.get(agent.id)).toMatchObject(ofBuyer)
})

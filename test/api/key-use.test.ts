import { expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { atEnd } from '../support/at-end.ts'
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
  }
})

test('a use that a node writes after the agent was erased is not stored', async () => {
  const { agent, owner } = await newAgent(at)
  const pool = createPool({ url: at.database.url }, { max: 1 })
  atEnd(() => pool.end())
  const node = await at.node()
  expect((await send(`${node.url}/v1/agents/${agent.id}`, { key: agent.apiKey })).status).toBe(200)
  await owner.client.agents.erase(agent.id)
  const erased = async () =>
    (await pool.query('select erased_at, key_last_used_at from agents where id = $1', [agent.id]))
      .rows[0]
  await eventually(async () => expect((await erased()).erased_at).not.toBeNull())
  await node.close()
  expect((await erased()).key_last_used_at).toBeNull()
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
  expect(bought.keyLastUsedAt).toBeNull()
  await node.close()
  expect((await buyer.client.agents.get(agent.id)).keyLastUsedAt).toBeNull()
})

import { describe, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { atEnd } from '../support/at-end.ts'
import { holdLocks, waitForLocks } from '../support/hold-locks.ts'
import { refusal, send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const at = await startService()
const { operator } = at.operator

describe('platforms', () => {
  test('are admitted, listed, changed and given new keys only by the operator', async () => {
    const { apiKey, ...platform } = await operator.createPlatform({ name: 'Market' })
    expect(apiKey).toMatch(/^avp_[0-9A-Za-z]{38}$/)
    expect(platform).toMatchObject({
      name: 'Market',
      tier: 'platform',
      status: 'active',
      publicKey: null,
      ownerId: null,
    })
    expect((await operator.listPlatforms({ limit: 100 })).data).toContainEqual(platform)
    const renamed = await operator.updatePlatform(platform.id, { name: 'Bazaar', tier: 'growth' })
    expect(renamed).toMatchObject({ id: platform.id, name: 'Bazaar', tier: 'growth' })
    const { owner, agent } = { ...(await newAgent(at)) }
    for (const key of [owner.token, agent.apiKey, apiKey]) {
      const { status } = await send(`${at.url}/v1/operator/platforms`, { key })
      expect(status).toBe(403)
    }
    expect((await send(`${at.url}/v1/operator/platforms`)).status).toBe(401)
  })

  test('that are suspended are refused, and an old key ends with its overlap', async () => {
    const { agent } = await newAgent(at)
    const { platform, client } = await newPlatform(at)
    const report = (as: typeof client) => as.events.submit(agent.id, { type: 'task.completed' })
    await operator.updatePlatform(platform.id, { status: 'suspended' })
    const refused = {
      status: 403,
      code: 'FORBIDDEN',
      details: { reason: 'platform_suspended' },
      message: 'this platform is suspended; ask the operator of this service',
    }
    expect(await refusal(report(client))).toMatchObject(refused)
    expect(await refusal(client.score.get(agent.id))).toMatchObject(refused)
    await operator.updatePlatform(platform.id, { status: 'active' })
    await report(client)
    const { apiKey } = await operator.rotatePlatformKey(platform.id, { overlapSeconds: 0 })
    expect(await refusal(report(client))).toMatchObject({ status: 401 })
    await report(client.with({ apiKey }))
  })

  test('that are suspended and renamed at the same time are suspended and renamed', async () => {
    const { id } = await operator.createPlatform({ name: 'Market' })
    const pool = createPool({ url: at.database.url }, { max: 2 })
    atEnd(() => pool.end())
    const unlock = await holdLocks(pool, {
      text: 'select from platforms where id = $1 for update',
      values: [id],
    })
    const patient = at.operator.with({ retriesMax: 10 }).operator
    const changes = [
      patient.updatePlatform(id, { status: 'suspended' }),
      patient.updatePlatform(id, { name: 'Bazaar' }),
    ]
    await waitForLocks(pool, 2, ...changes)
    await unlock()
    await Promise.all(changes)
    const { data } = await operator.listPlatforms({ limit: 100 })
    expect(data.find((one) => one.id === id)).toMatchObject({ name: 'Bazaar', status: 'suspended' })
  })

  test('of an unknown owner, or with an invalid key, are refused', async () => {
    const ownerId = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
    for (const input of [{ ownerId }, { publicKey: 'short' }, { tier: 'gold' }, { name: '' }]) {
      const { status, body } = await send(`${at.url}/v1/operator/platforms`, {
        key: OPERATOR_KEY,
        json: { name: 'Market', ...input },
      })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

test('an owner who is moved to another tier can have more agents at once', async () => {
  const { owner, client } = await newOwner(at)
  for (let i = 0; i < 10; i++) {
    await client.agents.register({ displayName: `agent ${i}` })
  }
  expect(await refusal(client.agents.register({ displayName: 'one more' }))).toMatchObject({
    status: 403,
  })
  expect(await operator.setOwnerTier(owner.id, 'growth')).toMatchObject({
    id: owner.id,
    tier: 'growth',
  })
  await client.agents.register({ displayName: 'one more' })
  const { status } = await send(`${at.url}/v1/operator/owners/${owner.id}`, {
    method: 'PATCH',
    key: OPERATOR_KEY,
    json: { tier: 'gold' },
  })
  expect(status).toBe(400)
})

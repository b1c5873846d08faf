import { Standing } from '@standing/sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/api/operations.ts'
import { isWellFormed } from '../../src/auth/key-format.ts'
import { isTestId, testIdOf } from '../../src/domain/mode.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { eventually } from '../support/eventually.ts'
import { refusal, send } from '../support/http.ts'
import { newEd25519, signedBy } from '../support/identifiers.ts'
import { startReceiver } from '../support/receiver.ts'
import { newAgent, newOwner, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })

const pool = createPool({ url: at.database.url }, { max: 1 })
afterAll(() => pool.end())
const query = async (text: string, values: readonly unknown[] = []) =>
  (await pool.query(text, [...values])).rows

const speaking = (apiKey: string) => new Standing({ baseUrl: at.url, apiKey, retriesMax: 0 })

/** An owner with an agent and a platform in test mode, and an agent in live mode. */
async function newTester() {
  const owner = await newOwner(at)
  const tester = owner.client.with({ mode: 'test' })
  const agent = await tester.agents.register({ displayName: 'tried' })
  const platform = await tester.testData.createPlatform({ name: 'Trial' })
  const live = await owner.client.agents.register({ displayName: 'real' })
  return {
    owner,
    tester,
    agent,
    platform,
    live,
    reporter: speaking(platform.apiKey),
    self: speaking(agent.apiKey),
  }
}

const GOOD = { type: 'task.completed', data: { taskClass: 'sums', difficulty: 2 } } as const
const MISMATCH = { status: 403, code: 'FORBIDDEN', details: { reason: 'mode_mismatch' } }

describe('test mode', () => {
  test('has keys with a test prefix and a checksum, and ids of version 8', async () => {
    const { agent, platform, live } = await newTester()
    expect(agent.apiKey).toMatch(/^avs_test_[0-9A-Za-z]{38}$/)
    expect(platform.apiKey).toMatch(/^avp_test_[0-9A-Za-z]{38}$/)
    expect([agent.apiKey, platform.apiKey].map(isWellFormed)).toEqual([true, true])
    expect(isWellFormed(`${agent.apiKey.slice(0, -1)}_`)).toBe(false)
    expect([agent.mode, platform.mode, live.mode]).toEqual(['test', 'test', 'live'])
    expect([agent.id, platform.id, live.id].map(isTestId)).toEqual([true, true, false])
    expect(live.apiKey).toMatch(/^avs_[0-9A-Za-z]{38}$/)
  })

  test('is opened by the first requests of an account, however many arrive at once', async () => {
    for (const account of [1, 2, 3, 4, 5]) {
      const { client } = await newOwner(at)
      const tester = client.with({ mode: 'test' })
      const requests = Array.from({ length: 20 }, () => tester.agents.list())
      const answers = await Promise.allSettled(requests)
      const statuses = answers.map(({ status }) => status)
      expect([account, ...new Set(statuses)]).toEqual([account, 'fulfilled'])
    }
  })

  test('scores as live mode does: reports of a test platform count in full', async () => {
    const { agent, reporter, self, tester } = await newTester()
    const [event] = (await reporter.events.report(agent.id, GOOD)).data
    expect(event).toMatchObject({ weight: 1, isSelfReported: false, isQuarantined: false })
    await self.events.report(agent.id, GOOD)
    const score = await reporter.score.get(agent.id)
    expect(score.score).toBeGreaterThan(100)
    expect(score.evidence).toMatchObject({ platformReported: 1, selfReported: 1 })
    expect(await self.score.get(agent.id)).toMatchObject({ score: score.score })
    expect((await tester.events.list(agent.id)).data).toHaveLength(2)
    expect((await tester.agents.list()).data.map(({ id }) => id)).toEqual([agent.id])
    const answer = await reporter.decisions.decide({ agentId: agent.id })
    expect(answer.agent?.id).toBe(agent.id)
  })

  test('is shared: the test platform of one account reports on the test agents of another', async () => {
    const { agent } = await newTester()
    const { reporter } = await newTester()
    expect(await reporter.events.report(agent.id, GOOD)).toMatchObject({ accepted: 1 })
  })

  test('has a platform for each live platform, which gets the key for it itself', async () => {
    const { agent } = await newTester()
    const { platform, client } = await newPlatform(at)
    const first = await client.testData.createPlatform({ name: 'Try' })
    expect(first).toMatchObject({ id: testIdOf(platform.id), mode: 'test', established: true })
    const second = await client.testData.createPlatform({ name: 'Another' })
    expect([second.id, second.name]).toEqual([first.id, 'Try'])
    const issued = (await at.operator.operator.audit({ limit: 100 })).data.filter(
      ({ action, target }) => action === 'platform.test_key_issued' && target?.id === first.id,
    )
    expect(issued.map(({ details }) => details)).toEqual([{ name: 'Try' }, { name: 'Try' }])
    expect(await refusal(speaking(first.apiKey).events.report(agent.id, GOOD))).toMatchObject({
      status: 401,
    })
    expect(await speaking(second.apiKey).events.report(agent.id, GOOD)).toMatchObject({
      accepted: 1,
    })
    await at.operator.operator.updatePlatform(platform.id, { status: 'suspended' })
    expect(await refusal(speaking(second.apiKey).score.get(agent.id))).toMatchObject({
      status: 403,
    })
  })

  test('has no people and keys of its own: an account has one set of them', async () => {
    const { owner } = await newTester()
    const headers = { 'standing-mode': 'test' }
    for (const path of ['/v1/auth/me', '/v1/members', '/v1/keys', '/v1/invitations']) {
      const answer = await send(at.url + path, { key: owner.token, headers })
      expect(answer).toMatchObject({ status: 403, body: { error: MISMATCH_ON_WIRE } })
    }
    expect(await owner.client.with({ mode: 'test' }).auth.me()).toMatchObject({
      id: owner.owner.id,
    })
  })

  test('has limits of its own, which do not affect those of live mode', async () => {
    const limited = await startService()
    const owner = await newOwner({ ...limited })
    const tester = owner.client.with({ mode: 'test' })
    for (let i = 0; i < 10; i++) {
      await tester.agents.register({ displayName: `tried ${i}` })
    }
    await limited.operator.operator.setOwnerTier(owner.owner.id, 'growth')
    expect(await refusal(tester.agents.register({ displayName: 'one more' }))).toMatchObject({
      status: 403,
      message: expect.stringMatching(/test data.*on every tier.*deactivate one/),
      details: { limit: 'max_agents', max: 10 },
    })
    const answer = await send(`${limited.url}/v1/agents`, { key: owner.token })
    expect(answer.headers.get('ratelimit')).toMatch(/r=9\d/)
    expect(await owner.client.agents.register({ displayName: 'real' })).toMatchObject({
      mode: 'live',
    })
    const platforms = Array.from({ length: 10 }, () => tester.testData.createPlatform())
    await Promise.all(platforms)
    expect(await refusal(tester.testData.createPlatform())).toMatchObject({
      details: { limit: 'max_test_platforms' },
    })
  })

  test('follows the account: suspended with it, erased with it', async () => {
    const { owner, self, agent } = await newTester()
    const tester = owner.client.with({ mode: 'test' })
    const { apiKey } = await tester.testData.createPlatform({ name: 'marguerite' })
    const platform = speaking(apiKey)
    await platform.policies.put('purchase', { minScore: 600 })
    const both = [self, platform]
    await at.operator.operator.updateOwner(owner.owner.id, { status: 'suspended' })
    for (const client of both) {
      expect(await refusal(client.score.get(agent.id))).toMatchObject({ status: 403 })
    }
    await at.operator.operator.updateOwner(owner.owner.id, { status: 'active' })
    for (const client of both) {
      expect(await client.score.get(agent.id)).toMatchObject({ score: 100 })
    }
    await at.operator.operator.eraseOwner(owner.owner.id, owner.email)
    await eventually(async () => {
      for (const client of both) {
        expect(await refusal(client.score.get(agent.id))).toMatchObject({ status: 401 })
      }
    })
    const { data } = await at.operator.with({ mode: 'test' }).operator.listPlatforms()
    expect(data.map(({ name }) => name)).not.toContain('marguerite')
  })

  test('refuses a header that contradicts the key, and says which one fits', async () => {
    const { agent, live } = await newTester()
    const bodyOf = async (headers: Readonly<Record<string, string>>, key?: string) => {
      const { status, body } = await send(`${at.url}/v1/agents/me`, {
        headers,
        ...(key && { key }),
      })
      return { status, issue: body.error.details.issues?.[0]?.path }
    }
    const wrong = { status: 400, issue: 'header.Standing-Mode' }
    expect(await bodyOf({ 'standing-mode': 'test' }, live.apiKey)).toEqual(wrong)
    expect(await bodyOf({ 'standing-mode': 'live' }, agent.apiKey)).toEqual(wrong)
    expect(await bodyOf({ 'standing-mode': 'Test' }, agent.apiKey)).toEqual(wrong)
    expect((await bodyOf({ 'standing-mode': 'test' })).status).toBe(401)
    const fits = await send(`${at.url}/v1/agents/me`, {
      key: agent.apiKey,
      headers: { 'standing-mode': 'test' },
    })
    expect(fits.body.id).toBe(agent.id)
  })
})

const MISMATCH_ON_WIRE = expect.objectContaining({
  code: 'FORBIDDEN',
  details: expect.objectContaining({ reason: 'mode_mismatch' }),
})

describe('no key of one mode reads or changes data of the other', () => {
  test('in a batch of scores, which has agents of the other mode in notFound', async () => {
    const { agent, live } = await newTester()
    const batchOf = async (key: string) => {
      const json = { agentIds: [agent.id, live.id] }
      const { body } = await send(`${at.url}/v1/scores/batch`, { key, json })
      return [body.data.map(({ agentId }: { agentId: string }) => agentId), body.notFound]
    }
    expect(await batchOf(live.apiKey)).toEqual([[live.id], [agent.id]])
    expect(await batchOf(agent.apiKey)).toEqual([[agent.id], [live.id]])
  })

  test('by an id in any path of the API', async () => {
    const { agent, live, owner, platform, self } = await newTester()
    const { platform: other, client } = await newPlatform(at)
    const stranger = await newOwner(at)
    const keys = { live: [live.apiKey, other.apiKey], test: [agent.apiKey, platform.apiKey] }
    const asked: string[] = []
    const answered: string[] = []
    for (const { path, method, callers } of OPERATIONS) {
      if (!/^\/v1\/(agents|scores|watches)\/\{id\}/.test(path)) {
        continue
      }
      const to = (id: string) => at.url + path.replace('{id}', id).replace(/\{\w+\}/g, id)
      const ask = async (id: string, key: string | undefined) => {
        const json = method === 'get' || method === 'delete' ? undefined : bodyFor(path)
        const init = { method: method.toUpperCase(), ...(key && { key }) }
        const { status, body } = await send(to(id), json === undefined ? init : { ...init, json })
        asked.push(path)
        const isRefused = status === 403 || status === 404
        if (
          !isRefused ||
          (key && body.error.details.reason !== 'mode_mismatch' && isCaller(key, callers))
        ) {
          answered.push(
            `${method} ${path} by ${key?.slice(0, 9)}: ${status} ${body?.error?.message}`,
          )
        }
      }
      for (const key of [...keys.live, owner.token, stranger.token, undefined]) {
        if (key !== undefined || callers.includes('anonymous')) {
          await ask(agent.id, key)
        }
      }
      for (const key of keys.test) {
        await ask(live.id, key)
      }
    }
    expect(answered).toEqual([])
    expect(asked.length).toBeGreaterThan(100)
    expect(await refusal(client.events.report(agent.id, GOOD))).toMatchObject(MISMATCH)
    expect(await refusal(self.score.get(live.id))).toMatchObject(MISMATCH)
  })

  test('by an id or a name in a body', async () => {
    const { agent, live, reporter, self, owner } = await newTester()
    const { client } = await newPlatform(at)
    expect([...(await client.score.getBatch([agent.id, live.id])).keys()]).toEqual([live.id])
    expect([...(await at.anyone.score.getBatch([agent.id])).keys()]).toEqual([])
    expect([...(await reporter.score.getBatch([agent.id, live.id])).keys()]).toEqual([agent.id])
    expect(await refusal(client.decisions.decide({ agentId: agent.id }))).toMatchObject(MISMATCH)
    expect(await refusal(self.decisions.decide({ agentId: live.id }))).toMatchObject(MISMATCH)
    const issue = { agentId: agent.id, type: 'Audit', claims: {} }
    expect(await refusal(owner.client.credentials.issue(issue))).toMatchObject(MISMATCH)
    const evaluation = {
      subject: { type: 'agent', id: agent.id },
      action: { name: 'pay' },
      resource: { type: 'a', id: 'b' },
    }
    const answer = await send(`${at.url}/access/v1/evaluation`, { json: evaluation })
    expect(answer.body.decision).not.toBe(true)
    const gate = await send(`${at.url}/v1/gate`, { headers: { 'x-agent-id': agent.id } })
    expect(gate.status).toBe(403)
  })

  test('by a name that agents of both modes have proven', async () => {
    const { agent, live, tester, owner, reporter } = await newTester()
    const { privateKey, jwk } = await newEd25519()
    const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    for (const [client, id] of [
      [tester, agent.id],
      [owner.client, live.id],
    ] as const) {
      const claim = await client.identifiers.claim(id, { type: 'did', value })
      const signature = await signedBy(privateKey, claim.challenge ?? '')
      expect(await client.identifiers.verify(id, claim.id, { signature })).toMatchObject({
        status: 'verified',
      })
    }
    const { client } = await newPlatform(at)
    expect((await reporter.lookup.get(value)).agent?.id).toBe(agent.id)
    expect((await client.lookup.get(value)).agent?.id).toBe(live.id)
    expect((await at.anyone.lookup.get(value)).agent?.id).toBe(live.id)
    expect((await tester.lookup.getBatch([value])).get(value)?.agent?.id).toBe(agent.id)
    await tester.agents.deactivate(agent.id)
    expect((await client.lookup.get(value)).agent?.id).toBe(live.id)
  })

  test('a name proven by a test agent alone is unknown to live callers', async () => {
    const { agent, tester, reporter } = await newTester()
    const { privateKey, jwk } = await newEd25519()
    const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const claim = await tester.identifiers.claim(agent.id, { type: 'did', value })
    await tester.identifiers.verify(agent.id, claim.id, {
      signature: await signedBy(privateKey, claim.challenge ?? ''),
    })
    expect((await at.anyone.lookup.get(value)).match).toBe('unknown')
    const badge = await fetch(`${at.url}/v1/badge.svg?identifier=${encodeURIComponent(value)}`)
    expect(badge.status).toBe(404)
    const own = await fetch(`${at.url}/v1/badge.svg?identifier=${encodeURIComponent(value)}`, {
      headers: { 'x-api-key': agent.apiKey },
    })
    expect(own.status).toBe(200)
    expect(await reporter.decisions.decide({ identifier: value })).toMatchObject({
      agent: { id: agent.id },
    })
  })
})

function isCaller(key: string, callers: readonly string[]): boolean {
  const kind = key.startsWith('avs_') ? 'agent' : key.startsWith('avp_') ? 'platform' : 'owner'
  return callers.includes(kind)
}

/** A body that the operation takes, so that nothing but the mode refuses it. */
function bodyFor(path: string): unknown {
  if (path.endsWith('/events/batch')) {
    return { events: [GOOD] }
  }
  if (path.endsWith('/events')) {
    return GOOD
  }
  if (path.endsWith('/identifiers')) {
    return { type: 'domain', value: 'example.com' }
  }
  if (path.endsWith('/transfers')) {
    return { toOwnerEmail: 'grace@example.com' }
  }
  if (path.endsWith('/score/credential')) {
    return { atLeast: 'poor' }
  }
  return path.endsWith('/erasure') ? { confirm: 'x' } : {}
}

/** Every row of live data that an event can touch. */
async function liveRows(): Promise<string> {
  const isLive = (id: string) => `substr(${id}::text, 15, 1) <> '8'`
  const tables: readonly (readonly [table: string, where: string])[] = [
    ['agents', isLive('id')],
    ['agent_states', isLive('agent_id')],
    ['events', isLive('agent_id')],
    ['snapshots', isLive('agent_id')],
    ['identifiers', isLive('agent_id')],
    ['credentials', isLive('agent_id')],
    ['external_ids', isLive('agent_id')],
    ['checkpoints', isLive('agent_id')],
    ['remembered_agents', isLive('agent_id')],
    ['platforms', isLive('id')],
    ['platform_hours', isLive('platform_id')],
    ['reporters', `${isLive('platform_id')} or is_proven`],
    ['work_stats', isLive('platform_id')],
    ['webhooks', isLive('id')],
    ['notifications', isLive('agent_id')],
    ['policies', `substr(holder, position(':' in holder) + 15, 1) <> '8'`],
    ['endorsements', 'true'],
  ]
  const dumps: string[] = []
  for (const [table, where] of tables) {
    const rows = await query(`select t::text as row from ${table} t where ${where} order by 1`)
    dumps.push(table, ...rows.map((row: { row: string }) => row.row))
  }
  return dumps.join('\n')
}

describe('no action in test mode changes a row of live data', () => {
  test('in any form of report, and by any other path', async () => {
    const { agent, live, reporter, self, tester, platform, owner } = await newTester()
    const { platform: real, client } = await newPlatform(at)
    await client.events.report(live.id, [GOOD, { ...GOOD, externalId: 'order-1' }])
    await client.policies.put('gate', { minScore: 1 })
    const before = await liveRows()

    const mine = { 'x-api-key': platform.apiKey }
    const refused: unknown[] = []
    for (const agentId of [agent.id, live.id]) {
      const path = `${at.url}/v1/agents/${agentId}/events`
      const event = { ...GOOD, externalId: 'order-1', data: { ...GOOD.data } }
      const paid = {
        type: 'payment.completed',
        data: { amount: 9, currency: 'USD', counterparty: live.id },
      }
      const answers = [
        await send(path, { headers: mine, json: event }),
        await send(`${path}/batch`, { headers: mine, json: { events: [event, paid] } }),
        await send(`${path}/batch`, {
          headers: { ...mine, 'content-type': 'application/cloudevents-batch+json' },
          json: [cloudEvent()],
        }),
        await send(`${at.url}/v1/otlp/v1/traces`, { headers: mine, json: spanOf(agentId) }),
        await mapped(mine, agentId),
        await imported(agentId, platform.id),
        await reported(platform.apiKey, agentId),
      ]
      if (agentId === live.id) {
        refused.push(...answers.map(({ text }) => text))
      }
    }
    // Each form says why, where an answer can: OTLP names the spans that it did not take.
    expect(refused.filter((text) => !/test mode|mode_mismatch/.test(String(text)))).toEqual([])
    await self.events.report(agent.id, GOOD)
    await tester.credentials.issue({ agentId: agent.id, type: 'Audit', claims: { level: 1 } })
    await tester.webhooks.create({ url: 'https://example.com/hook', events: ['*'] })
    await reporter.policies.put('gate', { minScore: 999 })
    await reporter.watches.add(agent.id)
    expect(await refusal(reporter.watches.add(live.id))).toMatchObject(MISMATCH)
    await tester.agents.deactivate(agent.id)
    await tester.testData.delete()
    expect(await liveRows()).toBe(before)
    expect(await imported(agent.id, real.id)).toMatchObject({ body: { imported: 0 } })
    expect(await owner.client.score.get(live.id)).toMatchObject({ eventCount: 2 })
  })

  test('many test owners establish no platform, and do not affect live statistics of work', async () => {
    const { client: unproven, platform } = await newPlatform(at, { verified: false })
    const established = async () => {
      const { agent } = await newAgent(at)
      await unproven.events.report(agent.id, [GOOD, GOOD, GOOD, GOOD])
      const [event] = (await unproven.events.list(agent.id)).data
      return event?.weight
    }
    const before = await established()
    const known = await at.operator.operator.listPlatforms()
    for (let i = 0; i < 4; i++) {
      const { agent, reporter } = await newTester()
      await reporter.events.report(
        agent.id,
        Array.from({ length: 20 }, () => GOOD),
      )
    }
    expect(await established()).toBe(before)
    const after = await at.operator.operator.listPlatforms()
    expect(after.data.map(({ id }) => id)).toEqual(known.data.map(({ id }) => id))
    expect(after.data.map(({ mode }) => mode)).toEqual(after.data.map(() => 'live'))
    expect(after.data.find(({ id }) => id === platform.id)?.established).toBe(false)
    const tests = await at.operator.with({ mode: 'test' }).operator.listPlatforms()
    expect(tests.data.length).toBeGreaterThanOrEqual(4)
    expect(new Set(tests.data.map(({ mode }) => mode))).toEqual(new Set(['test']))
  })

  test('a quarantined test event is in no live review queue, and an owner lists no test account', async () => {
    const { agent, reporter } = await newTester()
    const event = {
      type: 'payment.completed',
      data: { amount: 5, currency: 'USD', daysLate: 3 },
    } as const
    await reporter.events.report(agent.id, event)
    const queueOf = async (mode: 'live' | 'test') =>
      (await at.operator.with({ mode }).operator.reviews({ agentId: agent.id })).data.length
    const [recorded] = (await reporter.events.list(agent.id)).data
    expect([await queueOf('live'), await queueOf('test')]).toEqual([
      0,
      recorded?.isQuarantined ? 1 : 0,
    ])
    const owners = await at.operator.operator.listOwners()
    expect(owners.data.filter(({ id }) => isTestId(id))).toEqual([])
  })
})

describe('what test mode signs and sends', () => {
  test('a credential is valid for test callers alone, and does not verify with the published keys', async () => {
    const { agent, tester, self, owner } = await newTester()
    const credential = await tester.credentials.issue({
      agentId: agent.id,
      type: 'Audit',
      claims: {},
    })
    expect(isTestId(credential.id)).toBe(true)
    expect(await self.credentials.verify(credential.id)).toMatchObject({ valid: true })
    expect(await self.credentials.verify(credential.jwt)).toMatchObject({ valid: true })
    expect(await at.anyone.credentials.verify(credential.jwt)).toMatchObject({ valid: false })
    expect(await owner.client.credentials.verify(credential.jwt)).toMatchObject({ valid: false })
    expect(await refusal(at.anyone.credentials.get(credential.id))).toMatchObject({ status: 404 })
    const byId = await send(`${at.url}/v1/credentials/${credential.id}/verify`, {
      method: 'POST',
      key: owner.token,
    })
    expect(byId).toMatchObject({ status: 403, body: { error: MISMATCH_ON_WIRE } })
    expect((await fetch(`${at.url}/verify/${credential.id}`)).status).toBe(404)
    const { kid } = JSON.parse(
      Buffer.from(credential.jwt.split('.')[0] ?? '', 'base64url').toString(),
    )
    const receipt = await self.score.getReceipt(agent.id)
    const signed = JSON.parse(
      Buffer.from(receipt.receipt.split('.')[0] ?? '', 'base64url').toString(),
    )
    const attestation = await self.score.getAttestation(agent.id)
    const stated = JSON.parse(
      Buffer.from(attestation.attestation.split('.')[0] ?? '', 'base64url').toString(),
    )
    for (const path of ['/.well-known/jwks.json', '/.well-known/did.json', '/v1/receipts/keys']) {
      const published = await (await fetch(at.url + path)).text()
      for (const name of [kid, signed.kid, stated.kid]) {
        expect(published).not.toContain(name.split('#')[1])
      }
    }
    expect(await at.operator.operator.reissueCredentials()).toBe(0)
    expect(await self.credentials.verify(credential.jwt)).toMatchObject({ valid: true })
  })

  test('a webhook of test mode gets notifications of test agents only, and its body says so', async () => {
    const { agent, live, tester, owner, reporter } = await newTester()
    const { client } = await newPlatform(at)
    const [test, real] = [await startReceiver(), await startReceiver()]
    const events = ['event.ingested' as const]
    const { mode } = await tester.webhooks.create({ url: test.url, events })
    await owner.client.webhooks.create({ url: real.url, events })
    expect(mode).toBe('test')
    await reporter.events.report(agent.id, GOOD)
    await client.events.report(live.id, GOOD)
    await eventually(() => expect([test.bodies.length, real.bodies.length]).toEqual([1, 1]))
    expect(test.bodies[0]).toMatchObject({ mode: 'test', data: { agentId: agent.id } })
    expect(real.bodies[0]).toMatchObject({ data: { agentId: live.id } })
    expect(real.bodies[0]).not.toHaveProperty('mode')
  })

  test('test data is never in a shared cache or on a public page', async () => {
    const { agent, tester } = await newTester()
    for (const key of [agent.apiKey, OPERATOR_KEY]) {
      for (const path of [
        'score',
        'score/history',
        'badge.svg',
        'attestation',
        'score/explanation',
      ]) {
        const headers = { 'x-api-key': key }
        const answer = await fetch(`${at.url}/v1/agents/${agent.id}/${path}`, { headers })
        expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([
          path,
          200,
          'no-store',
        ])
      }
    }
    const change = tester.agents.update(agent.id, { publicProfile: true })
    expect(await refusal(change)).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect((await fetch(`${at.url}/agents/${agent.id}`)).status).toBe(404)
  })
})

describe('all test data is deleted at once', () => {
  test('with its keys, and without a change of live data', async () => {
    const { agent, live, tester, owner, reporter, self } = await newTester()
    await reporter.events.report(agent.id, [GOOD, GOOD])
    await tester.webhooks.create({ url: 'https://example.com/hook', events: ['*'] })
    const deleted = await owner.client.testData.delete()
    expect(deleted).toEqual({ agents: 1, platforms: 1, webhooks: 1 })
    expect(await refusal(self.agents.me())).toMatchObject({ status: 401 })
    expect(await refusal(reporter.score.get(agent.id))).toMatchObject({ status: 401 })
    expect((await tester.agents.list()).data).toEqual([])
    expect((await tester.webhooks.list()).data).toEqual([])
    expect((await owner.client.agents.list()).data.map(({ id }) => id)).toEqual([live.id])
    expect(await owner.client.testData.delete()).toEqual({ agents: 0, platforms: 0, webhooks: 0 })
    const [left] = await query('select count(*)::int as count from events where agent_id = $1', [
      agent.id,
    ])
    expect(left).toEqual({ count: 0 })
    expect(await tester.agents.register({ displayName: 'again' })).toMatchObject({ mode: 'test' })
  })
})

function cloudEvent() {
  return {
    specversion: '1.0',
    id: crypto.randomUUID(),
    source: 'https://shop.example',
    type: 'com.standing.task.completed',
    data: {},
  }
}

function spanOf(agentId: string) {
  const end = BigInt(Date.now()) * 1_000_000n
  const span = {
    traceId: crypto.randomUUID().replaceAll('-', ''),
    spanId: crypto.randomUUID().replaceAll('-', '').slice(0, 16),
    name: 'invoke_agent shop',
    startTimeUnixNano: String(end - 1_500_000_000n),
    endTimeUnixNano: String(end),
    attributes: [
      { key: 'gen_ai.operation.name', value: { stringValue: 'invoke_agent' } },
      { key: 'gen_ai.agent.id', value: { stringValue: agentId } },
    ],
  }
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
}

/** A payload of another system that a mapping of the test platform takes for a report. */
async function mapped(headers: Readonly<Record<string, string>>, agentId: string) {
  const mapping = {
    rules: [
      { agent: [{ path: '/agent' }], type: { constant: 'task.completed' }, externalId: ['/id'] },
    ],
    sample: { agent: agentId, id: '1' },
  }
  const put = { method: 'PUT', headers, json: mapping }
  expect((await send(`${at.url}/v1/platforms/me/mappings/shop`, put)).status).toBeLessThan(300)
  return send(`${at.url}/v1/mappings/shop/events`, {
    headers,
    json: { agent: agentId, id: crypto.randomUUID() },
  })
}

/** The operator's import of a platform's past. */
async function imported(agent: string, by: string) {
  const line = {
    at: new Date(Date.now() - 86_400_000).toISOString(),
    agent,
    by,
    type: 'task.completed',
  }
  const response = await fetch(`${at.url}/v1/operator/imports?name=${crypto.randomUUID()}`, {
    method: 'POST',
    headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'application/x-ndjson' },
    body: JSON.stringify(line),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}

/** A report by the tool of an agent that speaks MCP. */
async function reported(key: string, agentId: string) {
  const json = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'report_event', arguments: { agent: agentId, type: 'task.completed' } },
  }
  const headers = {
    'x-api-key': key,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  }
  const response = await fetch(`${at.url}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
  return { status: response.status, text: await response.text() }
}

test('a test agent is replaced by a test agent, and cannot be transferred to another owner', async () => {
  const { agent, live, tester, owner, reporter } = await newTester()
  await reporter.events.report(agent.id, GOOD)
  const other = await newOwner(at)
  const headers = { 'standing-mode': 'test' }
  const offer = await send(`${at.url}/v1/agents/${agent.id}/transfers`, {
    key: owner.token,
    headers,
    json: { toOwnerId: other.owner.id },
  })
  expect(offer).toMatchObject({
    status: 403,
    body: { error: { details: { reason: 'test_mode' } } },
  })
  const testAccount = { toOwnerId: testIdOf(other.owner.id) }
  await other.client.with({ mode: 'test' }).agents.register({ displayName: 'opens the account' })
  await send(`${at.url}/v1/agents/${live.id}/transfers`, { key: owner.token, json: testAccount })
  const theirs = await send(`${at.url}/v1/transfers`, { key: other.token, headers })
  expect(theirs.status).toBe(403)
  const successor = await send(`${at.url}/v1/agents/${agent.id}/successor`, {
    key: owner.token,
    headers,
    json: {},
  })
  expect(successor).toMatchObject({ status: 201, body: { mode: 'test', predecessorId: agent.id } })
  expect(isTestId(successor.body.id)).toBe(true)
  expect(successor.body.apiKey).toMatch(/^avs_test_/)
  const moved = query('update agents set owner_id = $1 where id = $2', [
    owner.owner.id,
    successor.body.id,
  ])
  await expect(moved).rejects.toThrow(/check constraint/)
  expect(await tester.testData.delete()).toMatchObject({ agents: 2 })
})

test('no statistic of the operator includes test data', async () => {
  const tried = await startService({ STANDING_RATE_LIMITS: 'off' })
  const owner = await newOwner(tried)
  const tester = owner.client.with({ mode: 'test' })
  const agent = await tester.agents.register({ displayName: 'tried' })
  const { apiKey } = await tester.testData.createPlatform()
  const reporter = new Standing({ baseUrl: tried.url, apiKey, retriesMax: 0 })
  await reporter.events.report(agent.id, [GOOD, GOOD])
  const headers = { 'x-api-key': OPERATOR_KEY }
  const { body } = await send(`${tried.url}/v1/operator/resistance`, { headers })
  expect(body).toMatchObject({ agents: 0, agentsInAll: 0, platforms: { active: 0, verified: 0 } })
  const calibration = await send(`${tried.url}/v1/operator/calibration`, { headers })
  expect(calibration.body).toMatchObject({ agents: 0, agentsInAll: 0 })
})

test('a report by a test platform that is being deleted gets 503; a retry finds that its key has ended', async () => {
  const owner = await newOwner(at)
  const tester = owner.client.with({ mode: 'test' })
  const agent = await tester.agents.register({ displayName: 'reported' })
  const { id, apiKey } = await tester.testData.createPlatform({ name: 'ends' })
  const platform = speaking(apiKey)
  // From now on the node knows the key.
  await send(`${at.url}/v1/platforms/me`, { key: apiKey })
  // What the deletion of test data commits, while this node does not know it yet.
  for (const table of ['platform_hours', 'reporters']) {
    await query(`delete from ${table} where platform_id = $1`, [id])
  }
  await query('delete from platforms where id = $1', [id])
  const report = () => platform.events.submit(agent.id, { type: 'task.completed' })
  await expect(report()).rejects.toMatchObject({
    status: 503,
    message: expect.stringMatching(/being deleted/),
  })
  await query('delete from api_keys where principal_id = $1', [id])
  await query('select pg_notify($1, $2)', ['standing_changes', `test callers ${id}`])
  await eventually(() => expect(report()).rejects.toMatchObject({ status: 401 }))
  expect((await tester.testData.delete()).agents).toBe(1)
})

import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { TIERS_OF_SERVICE } from '../../src/domain/limits.ts'
import { deleteExpired } from '../../src/retention/expired.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createTestClock } from '../support/clock.ts'
import { send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, PASSWORD, startService } from '../support/service.ts'

const START = '2026-06-15T11:00:00.000Z'
const DAY_MS = 86_400_000

const clock = createTestClock(START)
const at = await startService(
  { STANDING_RATE_LIMITS: 'off', LOG_LEVEL: 'silent' },
  // Passwords cost what they cost by default.
  { now: clock.now, passwordCost: undefined },
)
const database = createPool({ url: at.database.url }, { max: 2 })
afterAll(() => database.end())

const key = (value: string) => ({ 'idempotency-key': value })
const shapeOf = (value: object) => Object.keys(value).sort()
const fields = (text: string) => text.split(' ').sort()

describe('the records have these fields, and no others:', () => {
  test('owner, session, agent, with its key at registration alone', async () => {
    const email = 'record@example.com'
    const session = await at.anyone.auth.register({ email, password: PASSWORD })
    expect(shapeOf(session)).toEqual(fields('owner token expiresAt'))
    expect(shapeOf(await at.anyone.auth.login({ email, password: PASSWORD }))).toEqual(
      fields('owner token expiresAt'),
    )
    expect(shapeOf(session.owner)).toEqual(fields('id email name tier createdAt'))
    const { agent, owner } = await newAgent(at)
    const AGENT =
      'id ownerId displayName metadata publicProfile parentId predecessorId successorId status mode ' +
      'keyLastUsedAt apiKeys createdAt updatedAt'
    expect(shapeOf(agent)).toEqual(fields(`${AGENT} apiKey`))
    expect(agent.metadata).toEqual({})
    expect(shapeOf(await owner.client.agents.get(agent.id))).toEqual(fields(AGENT))
    expect(shapeOf((await owner.client.agents.list()).data[0] ?? {})).toEqual(fields(AGENT))
  })

  test('event, score, snapshot, tier', async () => {
    const { agent } = await newAgent(at)
    const { client, platform } = await newPlatform(at)
    const event = await client.events.submit(agent.id, { type: 'task.completed', data: {} })
    expect(shapeOf(event)).toEqual(
      fields(
        'id agentId type dimension impact data occurredAt createdAt isSelfReported reporter ' +
          'externalId imported weight share reporterWeight hardness fraudFlags isQuarantined quarantineReason ' +
          'attestationVerified review',
      ),
    )
    expect(event.reporter).toEqual({ kind: 'platform', id: platform.id })
    const GRADED =
      'agentId score classification confidence eventCount breakdown disputed exposureLimit modelVersion'
    const score = await at.anyone.score.get(agent.id)
    expect(shapeOf(score)).toEqual(fields(`${GRADED} interval forecast evidence status computedAt`))
    expect(shapeOf(score.breakdown)).toEqual(fields('reliability financial identity'))
    expect(Object.values(score.breakdown).map(({ weight }) => weight)).toEqual([0.4, 0.35, 0.25])
    const [snapshot] = (await at.anyone.score.getHistory(agent.id)).data
    expect(shapeOf(snapshot ?? {})).toEqual(fields(`${GRADED} id trigger createdAt correctedAt`))
    for (const tier of await at.anyone.score.classifications()) {
      expect(shapeOf(tier)).toEqual(fields('label name min max meaning'))
    }
  })

  test('credential, verification, subscription, platform', async () => {
    const { agent, owner } = await newAgent(at)
    const { credentials, webhooks } = owner.client
    const credential = await credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} })
    expect(shapeOf(credential)).toEqual(
      fields(
        'id agentId issuerId assertedBy type claims status issuedAt expiresAt revokedAt revocationReason jwt',
      ),
    )
    expect(shapeOf(await credentials.verify(credential.id))).toEqual(
      fields('valid status claims checks credential verifiedAt'),
    )
    const url = 'https://example.com/hooks'
    const { secret, ...webhook } = await webhooks.create({ url, events: ['score.changed'] })
    expect(secret).toMatch(/^whsec_/)
    expect((await webhooks.list()).data).toEqual([webhook])
    const { platform } = await newPlatform(at)
    expect(platform.tier).toBe('platform')
    expect((await at.operator.operator.listPlatforms()).data[0]).not.toHaveProperty('apiKey')
  })

  test('ids are UUIDv7, times RFC 3339 in UTC with milliseconds', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    const event = await client.events.submit(agent.id, { type: 'task.failed', data: {} })
    for (const id of [agent.id, agent.ownerId, event.id, event.reporter.id]) {
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    }
    for (const time of [agent.createdAt, agent.updatedAt, event.occurredAt, event.createdAt]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })
})

test('a page has fifty rows by default, and a hundred at most', async () => {
  const { agent, client: its } = await newAgent(at)
  const { client } = await newPlatform(at)
  const events = Array.from({ length: 60 }, (_, i) => ({
    type: 'task.completed' as const,
    data: { duration: i },
  }))
  await client.events.report(agent.id, events)
  await client.events.report(agent.id, events)
  const list = async (query: string) =>
    (await send(`${at.url}/v1/events${query}`, { key: keyOf(agent) })).body
  expect((await list('')).data).toHaveLength(50)
  expect((await list('?limit=100')).data).toHaveLength(100)
  expect((await list('?limit=1')).data).toHaveLength(1)
  const all: string[] = []
  for await (const { id } of its.events.list({ limit: 100 })) {
    all.push(id)
  }
  expect(new Set(all).size).toBe(120)
})

function keyOf({ apiKey }: { readonly apiKey: string }): string {
  return apiKey
}

describe('a public response', () => {
  test('has a tag, can be cached for half a minute, is open to every web page, and returns 304 for its tag', async () => {
    const { agent, owner } = await newAgent(at)
    const { id } = await owner.client.credentials.issue({
      agentId: agent.id,
      type: 'Audit',
      claims: {},
    })
    for (const path of [
      `/v1/agents/${agent.id}/score`,
      `/v1/scores/${agent.id}`,
      `/v1/agents/${agent.id}/score/history`,
      '/v1/scores/classifications',
      `/v1/credentials/${id}`,
    ]) {
      const first = await fetch(at.url + path)
      const etag = first.headers.get('etag') ?? ''
      const again = await fetch(at.url + path, { headers: { 'if-none-match': etag } })
      expect([path, first.status, again.status, await again.text()]).toEqual([path, 200, 304, ''])
      for (const { headers } of [first, again]) {
        expect(headers.get('etag')).toBe(etag)
        expect(headers.get('access-control-allow-origin')).toBe('*')
        expect(headers.get('cache-control')).toBe('public, max-age=30, stale-while-revalidate=60')
      }
      const head = await fetch(at.url + path, {
        method: 'HEAD',
        headers: { 'if-none-match': etag },
      })
      expect([path, head.status]).toEqual([path, 304])
    }
  })
})

describe('an Idempotency-Key', () => {
  test('is stored for a day, and its response is erased afterwards', async () => {
    const { token, owner } = await newOwner(at)
    const register = () =>
      send(`${at.url}/v1/agents`, { key: token, json: { displayName: 'a' }, headers: key('day') })
    const first = await register()
    clock.move(DAY_MS - 1_000)
    const session = await at.anyone.auth.login({ email: owner.email, password: PASSWORD })
    const late = () =>
      send(`${at.url}/v1/agents`, {
        key: session.token,
        json: { displayName: 'a' },
        headers: key('day'),
      })
    expect((await late()).text).toBe(first.text)
    const store = createPostgresStore(database)
    await deleteExpired(store, clock.now())
    expect((await late()).text).toBe(first.text)
    clock.move(1_000)
    const kept = 'select count(*)::int as count from stored_responses where expires_at <= $1'
    const expired = await database.query(kept, [clock.now()])
    expect(expired.rows[0].count).toBeGreaterThan(0)
    await deleteExpired(store, clock.now())
    expect((await database.query(kept, [clock.now()])).rows[0].count).toBe(0)
    const again = await late()
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotent-replayed')).toBeNull()
    expect(again.body.id).not.toBe(first.body.id)
  })

  test('of an anonymous caller includes the whole body: another body is another request', async () => {
    const register = (email: string) =>
      send(`${at.url}/v1/auth/register`, { json: { email, password: PASSWORD }, headers: key('r') })
    const one = await register('one@example.com')
    const other = await register('other@example.com')
    const again = await register('one@example.com')
    expect([one.status, other.status, again.status]).toEqual([201, 201, 201])
    expect(again.text).toBe(one.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const login = (password: string) =>
      send(`${at.url}/v1/auth/login`, {
        json: { email: 'one@example.com', password },
        headers: key('r'),
      })
    const session = await login(PASSWORD)
    expect((await login(PASSWORD)).text).toBe(session.text)
    expect((await login('not the password')).status).toBe(401)
  })

  test('belongs to the operation: at another path it is another key', async () => {
    const { agent, owner } = await newAgent(at)
    const json = { displayName: 'renamed' }
    const patch = await send(`${at.url}/v1/agents/${agent.id}`, {
      method: 'PATCH',
      key: owner.token,
      json,
      headers: key('p'),
    })
    const post = await send(`${at.url}/v1/agents`, { key: owner.token, json, headers: key('p') })
    expect([patch.status, post.status]).toEqual([200, 201])
  })

  test('stores neither a fault of the service nor a refusal of the caller', async () => {
    const { agent, owner } = await newAgent(at)
    const json = { url: 'https://example.com/hooks', events: ['*'] }
    const create = (credential: string) =>
      send(`${at.url}/v1/webhooks`, { key: credential, json, headers: key('fault') })
    expect((await create('nobody')).status).toBe(401)
    expect((await create(agent.apiKey)).status).toBe(403)
    await database.query('alter table webhooks rename to misplaced')
    expect((await create(owner.token)).status).toBe(500)
    await database.query('alter table misplaced rename to webhooks')
    const created = await create(owner.token)
    expect(created.status).toBe(201)
    expect(created.headers.get('idempotent-replayed')).toBeNull()
    expect((await create(owner.token)).text).toBe(created.text)
  })
})

describe('passwords and keys', () => {
  test('of 12 and of 128 characters have a permitted length, with any characters', async () => {
    const status = async (password: string) => {
      const email = `p${crypto.randomUUID()}@example.com`
      return (await send(`${at.url}/v1/auth/register`, { json: { email, password } })).status
    }
    for (const one of ['a', 'ä', '😀']) {
      expect([
        await status(one.repeat(11)),
        await status(one.repeat(12)),
        await status(one.repeat(128)),
        await status(one.repeat(129)),
      ]).toEqual([400, 201, 201, 400])
    }
  })

  test('are stored as argon2id and SHA-256, and nowhere in plain text', async () => {
    const { agent, email } = await newAgent(at).then(({ agent, owner }) => ({
      agent,
      email: owner.email,
    }))
    const { rows: members } = await database.query(
      'select password_hash from members where email = $1',
      [email],
    )
    expect(members[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const { rows: keys } = await database.query(
      'select hash from api_keys where principal_id = $1',
      [agent.id],
    )
    expect(keys.map(({ hash }) => hash.toString('hex'))).toEqual([
      createHash('sha256').update(agent.apiKey).digest('hex'),
    ])
  })
})

test('occurredAt can be thirty days in the past and five minutes in the future, to the millisecond', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const status = async (offset: number) => {
    const occurredAt = new Date(clock.now() + offset).toISOString()
    const event = { type: 'task.completed' as const, data: { duration: Math.abs(offset) } }
    return client.events.submit(agent.id, { ...event, occurredAt }).then(
      (taken) => taken.occurredAt === occurredAt,
      (error: { status: number }) => error.status,
    )
  }
  expect(await status(-30 * DAY_MS)).toBe(true)
  expect(await status(-30 * DAY_MS - 1_000)).toBe(400)
  expect(await status(5 * 60_000)).toBe(true)
  expect(await status(5 * 60_000 + 1_000)).toBe(400)
  const { occurredAt, createdAt } = await client.events.submit(agent.id, { type: 'task.failed' })
  expect(occurredAt).toBe(createdAt)
})

test('occurredAt can be further in the past with another setting', async () => {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const node = await at.node({ STANDING_OCCURRED_AT_DAYS: '400' })
  const report = (url: string) =>
    send(`${url}/v1/agents/${agent.id}/events`, {
      key: platform.apiKey,
      json: {
        type: 'task.completed',
        data: {},
        occurredAt: new Date(clock.now() - 399 * DAY_MS).toISOString(),
      },
    })
  expect([(await report(at.url)).status, (await report(node.url)).status]).toEqual([400, 201])
})

test('an upheld event can be appealed for thirty days and not a second longer', async () => {
  const { agent, owner } = await newAgent(at)
  const { client } = await newPlatform(at)
  const held = async () => {
    const event = { type: 'task.completed', data: { success: false } } as const
    const { id } = await client.events.submit(agent.id, event)
    await at.operator.operator.review(id, { decision: 'upheld', reason: 'checked' })
    return id
  }
  const ids = [await held(), await held()]
  const appeal = async (id = '') => {
    const { token } = await at.anyone.auth.login({ email: owner.email, password: PASSWORD })
    return send(`${at.url}/v1/events/${id}/appeal`, { key: token, json: { statement: 'it did' } })
  }
  clock.move(30 * DAY_MS - 1_000)
  expect((await appeal(ids[0])).status).toBe(200)
  clock.move(2_000)
  expect((await appeal(ids[1])).status).toBe(409)
})

test('the tiers have the limits of the interface', () => {
  expect(TIERS_OF_SERVICE).toEqual({
    free: { requestsPerMinute: 100, lookupsPerMonth: 1_000, agentsMax: 10 },
    growth: { requestsPerMinute: 1_000, lookupsPerMonth: 50_000, agentsMax: 100 },
    platform: { requestsPerMinute: 10_000, lookupsPerMonth: null, agentsMax: null },
  })
})

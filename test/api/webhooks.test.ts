import { randomUUID } from 'node:crypto'
import { Standing, verifyWebhookSignature, type WebhookInput } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { changeStatus } from '../../src/identity/agents.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { eventually } from '../support/eventually.ts'
import { refusal, send } from '../support/http.ts'
import { startReceiver, startSlowReceiver, verifies } from '../support/receiver.ts'
import {
  newAgent,
  newOwner,
  newPlatform,
  OPERATOR_KEY,
  startService,
  type TestService,
} from '../support/service.ts'

const at = await startService()
const { client: platform } = await newPlatform(at)

const HOOK: WebhookInput = { url: 'https://example.com/hook', events: ['score.changed'] }

const done = (agentId: string) =>
  platform.events.submit(agentId, { type: 'task.completed', data: { success: true } })

/** A new owner with an agent, and a subscription that posts to a receiver of this test. */
async function subscribed(input: Partial<WebhookInput> = {}, service: TestService = at) {
  const receiver = await startReceiver()
  const { agent, owner } = await newAgent(service)
  const { webhooks } = owner.client
  const webhook = await webhooks.create({ url: receiver.url, events: ['*'], ...input })
  receiver.secrets.push(webhook.secret)
  const delivery = async (id: string, status: string) =>
    eventually(async () => {
      const found = await webhooks.delivery(webhook.id, id)
      expect(found.status).toBe(status)
      return found
    })
  return { receiver, agent, owner, webhooks, webhook, delivery }
}

/** Reports in one batch, whose notifications are sent one after the other. */
async function reportThree(agentId: string) {
  const events = [1, 2, 3].map((duration) => ({
    type: 'task.completed' as const,
    data: { duration },
  }))
  const { data } = await platform.events.report(agentId, events)
  return data
}

describe('a subscription', () => {
  test('is created with a secret that is shown only this time', async () => {
    const { client } = await newOwner(at)
    const { secret, ...webhook } = await client.webhooks.create({
      ...HOOK,
      description: 'for the dashboard',
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhook).toMatchObject({
      url: 'https://example.com/hook',
      events: ['score.changed'],
      agentIds: null,
      description: 'for the dashboard',
      status: 'active',
      statusReason: null,
      consecutiveFailures: 0,
    })
    expect(await client.webhooks.get(webhook.id)).toEqual(webhook)
    expect((await client.webhooks.list()).data).toEqual([webhook])
  })

  test('is listed newest first, in pages', async () => {
    const { client } = await newOwner(at)
    const ids: string[] = []
    for (let i = 0; i < 5; i++) {
      ids.unshift((await client.webhooks.create(HOOK)).id)
    }
    const listed: string[] = []
    for await (const { id } of client.webhooks.list({ limit: 2 })) {
      listed.push(id)
    }
    expect(listed).toEqual(ids)
  })

  test('that is deleted gets nothing more', async () => {
    const { receiver, agent, webhooks, webhook } = await subscribed()
    await done(agent.id)
    await receiver.until(2)
    await webhooks.delete(webhook.id)
    expect(await refusal(webhooks.get(webhook.id))).toMatchObject({ code: 'NOT_FOUND' })
    expect(await refusal(webhooks.delete(webhook.id))).toMatchObject({ code: 'NOT_FOUND' })
    expect((await webhooks.list()).data).toEqual([])
    await done(agent.id)
    const other = await webhooks.create({ url: receiver.url, events: ['*'] })
    await webhooks.test(other.id)
    await receiver.until(3)
    expect(receiver.bodies[2]?.type).toBe('webhook.test')
  })

  test('that is deleted, disabled or moved gets nothing of what waits in the node', async () => {
    const { client } = await newOwner(at)
    const changes = {
      deleted: (id: string) => client.webhooks.delete(id),
      disabled: (id: string) => client.webhooks.update(id, { status: 'disabled' }),
      moved: (id: string) => client.webhooks.update(id, { url: moved.url }),
    }
    const moved = await startReceiver()
    const agent = await client.agents.register({ displayName: 'agent' })
    for (const change of Object.values(changes)) {
      const { receiver, release } = await startSlowReceiver()
      const webhook = await client.webhooks.create({ url: receiver.url, events: ['*'] })
      const { length } = await reportThree(agent.id)
      await receiver.until(1)
      await change(webhook.id)
      release()
      // Another delivery from the same node: what was to follow the first one would have been sent before.
      const other = await client.webhooks.create({ url: receiver.url, events: ['*'] })
      const { id } = await client.webhooks.test(other.id)
      await eventually(() => expect(receiver.bodies.map((body) => body.id)).toContain(id))
      expect(receiver.bodies.filter((body) => body.type !== 'webhook.test')).toHaveLength(1)
      if (change === changes.moved) {
        await moved.until(length)
      }
      await client.webhooks.delete(other.id)
    }
  })

  test('can be changed in part', async () => {
    const { client } = await newOwner(at)
    const { secret: _, ...webhook } = await client.webhooks.create(HOOK)
    const changed = await client.webhooks.update(webhook.id, { events: ['*'], description: 'x' })
    expect(changed).toEqual({
      ...webhook,
      events: ['*'],
      description: 'x',
      updatedAt: changed.updatedAt,
    })
    const cleared = await client.webhooks.update(webhook.id, { description: null })
    expect(cleared.description).toBeNull()
    expect(await client.webhooks.update(webhook.id, {})).toEqual(cleared)
    const metadata = { url: 'https://169.254.169.254/latest/meta-data' }
    expect(await refusal(client.webhooks.update(webhook.id, metadata))).toMatchObject({
      details: { issues: [{ path: 'url' }] },
    })
  })

  test('is one of at most twenty', async () => {
    const { client } = await newOwner(at)
    // They wait for one another, on a busy machine for longer than a lock is waited for: 503, and sent again.
    const patient = client.with({ retriesMax: 10 })
    const all = await Promise.allSettled(
      Array.from({ length: 22 }, () => patient.webhooks.create(HOOK)),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect(await refusal(client.webhooks.create(HOOK))).toMatchObject({
      code: 'FORBIDDEN',
      details: { limit: 'max_webhooks', max: 20 },
    })
  })

  test('of another owner cannot be read, changed or sent to', async () => {
    const { webhooks, webhook } = await subscribed()
    const sent = await webhooks.test(webhook.id)
    const { token } = await newOwner(at)
    const base = `${at.url}/v1/webhooks/${webhook.id}`
    const calls = [
      ['GET', ''],
      ['PATCH', '', { status: 'active' }],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['GET', `/deliveries/${sent.id}`],
      ['POST', `/deliveries/${sent.id}/redeliver`],
      ['POST', '/recover', { since: new Date().toISOString() }],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
    ] as const
    for (const [method, path, json] of calls) {
      const answer = await send(base + path, { method, key: token, json })
      expect([method, path, answer.status]).toEqual([method, path, 403])
      const unknown = base.replace(webhook.id, randomUUID())
      const nothing = await send(unknown + path, { method, key: token, json })
      expect([method, path, nothing.status]).toEqual([method, path, 404])
    }
  })

  test('is available only to owners and platforms', async () => {
    const { agent } = await newAgent(at)
    const { platform: reporter } = await newPlatform(at)
    const status = async (key?: string) =>
      (await send(`${at.url}/v1/webhooks`, key === undefined ? {} : { key })).status
    expect(await status(agent.apiKey)).toBe(403)
    expect(await status(reporter.apiKey)).toBe(200)
    expect(await status(OPERATOR_KEY)).toBe(403)
    expect(await status()).toBe(401)
  })

  test('with invalid fields is refused, and they are named', async () => {
    const { token } = await newOwner(at)
    const paths = async (json: unknown) => {
      const { status, body } = await send(`${at.url}/v1/webhooks`, { key: token, json })
      expect([json, status]).toEqual([json, 400])
      return body.error.details.issues.map(({ path }: { path: string }) => path)
    }
    expect(await paths({})).toEqual(['url', 'events'])
    expect(await paths({ ...HOOK, events: [] })).toEqual(['events'])
    expect(await paths({ ...HOOK, events: ['score.changed', 'no.such'] })).toEqual(['events.1'])
    expect(await paths({ ...HOOK, secret: 'whsec_' })).toEqual(['secret'])
    expect(await paths({ ...HOOK, description: 'x'.repeat(201) })).toEqual(['description'])
    expect(await paths({ ...HOOK, agentIds: [randomUUID()] })).toEqual(['agentIds.0'])
    expect(await paths({ ...HOOK, url: 'not a url' })).toEqual(['url'])
  })
})

/** Spellings of places that webhooks must not reach; the rest are in outbound/address.test.ts. */
const FORBIDDEN_URLS = [
  'http://example.com/',
  'ftp://example.com/',
  'https://localhost/',
  'https://localhost./',
  'https://sub.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://①②⑦.0.0.1/',
  'https://127。0。0。1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[2002:7f00:1::]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://intranet/',
  'https://user:password@example.com/',
  'https://example.com:0/',
  'https://example.com:22/',
  'https://example.com:5432/',
  'javascript:alert(1)',
  'file:///etc/passwd',
]

test('a subscription to a private address is refused, in any spelling, and the error names the alternatives', async () => {
  const strict = await startService({ STANDING_WEBHOOK_ALLOW: '' })
  const { client } = await newOwner(strict)
  expect(FORBIDDEN_URLS.length).toBeGreaterThanOrEqual(40)
  for (const url of FORBIDDEN_URLS) {
    expect([url, await refusal(client.webhooks.create({ ...HOOK, url }))]).toMatchObject([
      url,
      { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'url' }] } },
    ])
  }
  expect((await client.webhooks.list()).data).toEqual([])
  for (const url of ['http://localhost:3000/hook', 'http://127.0.0.1:3000/', 'https://10.0.0.1/']) {
    const { message } = (await refusal(client.webhooks.create({ ...HOOK, url }))) ?? {}
    expect(message).toMatch(/`standing webhook listen .* STANDING_WEBHOOK_ALLOW$/)
  }
  const open = await refusal(client.webhooks.create({ ...HOOK, url: 'http://example.com/' }))
  expect(open).toMatchObject({ message: 'url: must be an https URL' })
  // Where the address is not the reason, a way to private ones is no help.
  const port = 'must use port 443 or one from 1024 on, and none that belongs to another protocol'
  for (const [url, problem] of [
    ['example.com', 'must be a valid URL'],
    ['https://example.com:22/', port],
    ['http://localhost:22/', port],
  ] as const) {
    const wrong = await refusal(client.webhooks.create({ ...HOOK, url }))
    expect(wrong).toMatchObject({ message: `url: ${problem}` })
  }
})

describe('a notification', () => {
  test('is posted signed, with the data of the interface', async () => {
    const { receiver, agent, webhook, delivery } = await subscribed({ events: ['score.changed'] })
    const event = await done(agent.id)
    await receiver.until(1)
    const [post] = receiver.posts
    if (!post) {
      throw new Error('nothing was posted')
    }
    const { score, classification } = await at.anyone.score.get(agent.id)
    expect(post.body).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'score.changed',
      timestamp: event.createdAt,
      data: {
        agentId: agent.id,
        previousScore: 100,
        newScore: score,
        classification,
        disputed: { isDisputed: false, platformsFor: 0, platformsAgainst: 0 },
        exposureLimit: null,
        triggeredBy: { kind: 'event', id: event.id, type: 'task.completed' },
      },
    })
    expect(post.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': post.body.id,
    })
    expect(verifies(webhook.secret, post.text, post.headers)).toBe(true)
    expect(verifies(webhook.secret, `${post.text} `, post.headers)).toBe(false)
    expect(await verifyWebhookSignature(post.text, post.headers, webhook.secret)).toEqual(post.body)
    const { attempts } = await delivery(post.body.id, 'delivered')
    expect(attempts).toMatchObject([{ outcome: 'delivered', status: 200, responseStart: 'thanks' }])
  })

  test('is sent once, in the order of its agent, whichever event came first', async () => {
    const { receiver, agent } = await subscribed({ events: ['event.ingested'] })
    const events: string[] = []
    for (let i = 0; i < 30; i++) {
      events.push((await done(agent.id)).id)
    }
    await receiver.until(30)
    expect(receiver.bodies.map(({ data }) => data.eventId)).toEqual(events)
    expect(receiver.posts.every((post) => receiver.verified(post) === 1)).toBe(true)
  })

  test('goes to the subscriptions to its type and agent', async () => {
    const { receiver, agent, owner, webhooks } = await subscribed({ events: ['event.ingested'] })
    const { agent: other } = await newAgent(at, owner)
    const few = await startReceiver()
    await webhooks.create({ url: few.url, events: ['*'], agentIds: [other.id] })
    await done(agent.id)
    await done(other.id)
    await receiver.until(2)
    await few.until(2)
    expect(receiver.bodies.map(({ type }) => type)).toEqual(['event.ingested', 'event.ingested'])
    expect(new Set(few.bodies.map(({ data }) => data.agentId))).toEqual(new Set([other.id]))
  })

  test('of a quarantined event, its review and a suspension is sent as well', async () => {
    const { receiver, agent } = await subscribed({
      events: ['agent.status_changed', 'score.tier_changed'],
    })
    await at.operator.operator.setAgentStatus(agent.id, { status: 'suspended', reason: 'asked' })
    await receiver.until(1)
    expect(receiver.bodies[0]).toMatchObject({
      type: 'agent.status_changed',
      data: { agentId: agent.id, previousStatus: 'active', status: 'suspended' },
    })
  })

  test('of two simultaneous changes of status follows the order of the changes', async () => {
    const { receiver, agent } = await subscribed({ events: ['agent.status_changed'] })
    const pool = createPool({ url: at.database.url })
    const store = createPostgresStore(pool)
    const seen = await store.agents.find({ id: agent.id })
    if (!seen) {
      throw new Error('there is none')
    }
    await at.operator.operator.setAgentStatus(agent.id, { status: 'suspended', reason: 'asked' })
    const change = { status: 'deactivated', reason: null } as const
    const sources = { now: Date.now, newId: randomUUID }
    await store.transaction((within) => changeStatus(within, sources, seen, change))
    await pool.end()
    await receiver.until(2)
    expect(receiver.bodies[1]).toMatchObject({
      data: { previousStatus: 'suspended', status: 'deactivated' },
    })
  })

  test('is written only if there is a subscription', async () => {
    const { agent } = await newAgent(at)
    await done(agent.id)
    const { webhooks, webhook, agent: own } = await subscribed({ events: ['credential.issued'] })
    await done(own.id)
    expect((await webhooks.deliveries(webhook.id)).data).toEqual([])
  })
})

describe('a receiver', () => {
  test('that redirects has failed, and the redirect is not followed', async () => {
    const { receiver, webhooks, webhook, delivery } = await subscribed()
    const inside = await startReceiver()
    receiver.answer((response) =>
      response.writeHead(302, { location: inside.url }).end('this way please'),
    )
    const { id } = await webhooks.test(webhook.id)
    await receiver.until(1)
    const failed = await eventually(async () => {
      const found = await delivery(id, 'pending')
      expect(found.attemptCount).toBe(1)
      return found
    })
    expect(failed.attempts).toMatchObject([{ status: 302, error: 'redirects are not followed' }])
    expect(failed.lastError).toBe('status 302: redirects are not followed')
    expect(failed.nextAttemptAt).not.toBeNull()
    expect(inside.posts).toEqual([])
  })

  test('that responds with 410 is disabled at once, and resumed by its owner', async () => {
    const { receiver, agent, webhooks, webhook, delivery } = await subscribed()
    receiver.answer((response) => response.writeHead(410).end())
    const { id } = await webhooks.test(webhook.id)
    await eventually(async () =>
      expect(await webhooks.get(webhook.id)).toMatchObject({
        status: 'disabled',
        statusReason: 'gone',
      }),
    )
    expect(await refusal(webhooks.test(webhook.id))).toMatchObject({ code: 'CONFLICT' })
    const since = new Date(Date.now() - 60_000).toISOString()
    expect(await refusal(webhooks.recover(webhook.id, since))).toMatchObject({ code: 'CONFLICT' })
    await done(agent.id)
    receiver.answer((response) => response.end())
    expect(await webhooks.update(webhook.id, { status: 'active' })).toMatchObject({
      status: 'active',
      statusReason: null,
    })
    await delivery(id, 'delivered')
    // Notifications of that time are fetched by a recovery, once.
    expect(await webhooks.recover(webhook.id, since)).toEqual({ recovered: 2, complete: true })
    await receiver.until(4)
    expect(receiver.bodies.slice(2).map(({ type }) => type)).toEqual([
      'event.ingested',
      'score.changed',
    ])
    await eventually(async () =>
      expect((await webhooks.deliveries(webhook.id, { status: 'delivered' })).data).toHaveLength(3),
    )
    expect(await webhooks.recover(webhook.id, since)).toEqual({ recovered: 0, complete: true })
  })

  test('gets a delivery again on request, under the same id', async () => {
    const { receiver, agent, webhooks, webhook, delivery } = await subscribed({
      events: ['event.ingested'],
    })
    await done(agent.id)
    await receiver.until(1)
    const id = receiver.bodies[0]?.id ?? ''
    await delivery(id, 'delivered')
    expect(await webhooks.redeliver(webhook.id, id)).toMatchObject({ id, status: 'pending' })
    await receiver.until(2)
    expect(receiver.bodies[1]).toEqual(receiver.bodies[0])
    expect((await delivery(id, 'delivered')).attempts).toHaveLength(2)
    const nothing = `evt_${'0'.repeat(32)}`
    expect(await refusal(webhooks.redeliver(webhook.id, nothing))).toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(await refusal(webhooks.delivery(webhook.id, 'evt_1'))).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })

  test('that is paused is tried at once at its owner’s request, in addition to the usual attempts', async () => {
    const events = ['event.ingested'] as const
    const { receiver, owner, webhooks, webhook, delivery } = await subscribed({
      events: [...events],
    })
    receiver.answer((response) => response.writeHead(503).end())
    for (let i = 0; i < 5; i++) {
      await done((await owner.client.agents.register({ displayName: `agent ${i}` })).id)
    }
    const paused = { status: 'paused', consecutiveFailures: 5 }
    await eventually(async () => expect(await webhooks.get(webhook.id)).toMatchObject(paused))
    const [waiting] = (await webhooks.deliveries(webhook.id, { status: 'pending' })).data
    if (!waiting) {
      throw new Error('nothing waits')
    }
    await webhooks.redeliver(webhook.id, waiting.id)
    await eventually(async () => {
      const tried = await webhooks.delivery(webhook.id, waiting.id)
      expect(tried).toMatchObject({ attemptCount: 2, nextAttemptAt: waiting.nextAttemptAt })
    })
    const inVain = await webhooks.test(webhook.id)
    await eventually(async () =>
      expect((await webhooks.delivery(webhook.id, inVain.id)).attemptCount).toBe(1),
    )
    expect(await webhooks.get(webhook.id)).toMatchObject(paused)
    receiver.answer((response) => response.end())
    await delivery((await webhooks.test(webhook.id)).id, 'delivered')
    const healed = { status: 'active', consecutiveFailures: 0 }
    await eventually(async () => expect(await webhooks.get(webhook.id)).toMatchObject(healed))
  })

  test('verifies with its old secret and its new one for a day', async () => {
    const { receiver, webhooks, webhook } = await subscribed()
    const before = Date.now()
    const { secret, previousSecretExpiresAt } = await webhooks.rotateSecret(webhook.id)
    expect(Date.parse(previousSecretExpiresAt) - before).toBeGreaterThanOrEqual(24 * 3_600_000)
    receiver.secrets.push(secret)
    await webhooks.test(webhook.id)
    await receiver.until(1)
    const [post] = receiver.posts
    if (!post) {
      throw new Error('nothing was posted')
    }
    expect(String(post.headers['webhook-signature']).split(' ')).toHaveLength(2)
    expect(receiver.verified(post)).toBe(2)
    // A second rotation ends the first secret.
    receiver.secrets.push((await webhooks.rotateSecret(webhook.id)).secret)
    await webhooks.test(webhook.id)
    await receiver.until(2)
    const signed = receiver.secrets.map((one) => {
      const { text = '', headers = {} } = receiver.posts[1] ?? {}
      return verifies(one, text, headers)
    })
    expect(signed).toEqual([false, true, true])
  })
})

test('deliveries are listed newest first, by status', async () => {
  const { receiver, webhooks, webhook, delivery } = await subscribed()
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    ids.unshift((await webhooks.test(webhook.id)).id)
  }
  await receiver.until(3)
  for (const id of ids) {
    await delivery(id, 'delivered')
  }
  const listed: string[] = []
  for await (const { id } of webhooks.deliveries(webhook.id, { limit: 1 })) {
    listed.push(id)
  }
  expect(listed).toEqual(ids)
  expect((await webhooks.deliveries(webhook.id, { status: 'failed' })).data).toEqual([])
  const first = await webhooks.deliveries(webhook.id, { limit: 1 })
  const stolen = { cursor: first.nextCursor ?? '', status: 'delivered' as const }
  expect(await refusal(webhooks.deliveries(webhook.id, stolen))).toMatchObject({
    code: 'VALIDATION_ERROR',
  })
})

test('a repeated creation with one Idempotency-Key is one subscription, with the same secret', async () => {
  const { token } = await newOwner(at)
  const client = new Standing({ baseUrl: at.url, token })
  const options = { idempotencyKey: randomUUID() }
  const first = await client.webhooks.create(HOOK, options)
  expect(await client.webhooks.create(HOOK, options)).toEqual(first)
  expect((await client.webhooks.list()).data).toHaveLength(1)
})

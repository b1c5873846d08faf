import { readFile } from 'node:fs/promises'
import { sign as signAsGitHub } from '@octokit/webhooks-methods'
import type { MappingInput } from '@standing/sdk'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { platform, client } = await newPlatform(at)

// biome-ignore lint/suspicious/noExplicitAny: payloads of others have no types here
type Json = any

/** A mapping of the examples, for one agent. */
async function exampleOf(name: string, agentId: string): Promise<MappingInput & { sample: Json }> {
  const text = await readFile(`examples/mappings/${name}.json`, 'utf8')
  return JSON.parse(text.replaceAll('"shop.example.com"', JSON.stringify(agentId)))
}

async function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
  const response = await fetch(at.url + path, init)
  return { status: response.status, body: (await response.json()) as Json }
}

const issuesIn = ({ body }: { readonly body: Json }) => body.error.details.issues

const now = () => Date.now() - 60_000
const seconds = () => Math.floor(now() / 1000)
const utc = () => new Date(now()).toISOString().replace('T', ' ').replace('Z', '')
const iso = () => `${new Date(now()).toISOString().slice(0, 19)}Z`

describe('webhooks of Stripe', () => {
  const secret = 'whsec_test_secret_of_the_endpoint'
  const { webhooks } = new Stripe('sk_test_123')

  async function endpoint() {
    const { agent } = await newAgent(at)
    const input = await exampleOf('stripe', agent.id)
    const { path } = await client.mappings.put('stripe', {
      ...input,
      sender: { scheme: 'stripe', secret },
    })
    const send = (event: Json, header?: string) => {
      const payload = JSON.stringify(event)
      const signature = header ?? webhooks.generateTestHeaderString({ payload, secret })
      return post(path, payload, { 'stripe-signature': signature })
    }
    const paid: Json = { ...input.sample, id: `evt_${agent.id}`, created: seconds() }
    const object = { ...paid.data.object, id: `pi_${agent.id}` }
    return { agent, send, paid: { ...paid, data: { object } }, object, path }
  }

  test('become successful and failed payments, each once even if they are sent again', async () => {
    const { agent, send, paid, object } = await endpoint()
    for (let i = 0; i < 3; i++) {
      expect(await send(paid)).toMatchObject({ status: 200, body: { accepted: 1, ignored: 0 } })
    }
    const yen = { ...object, currency: 'jpy', amount: 1999 }
    const failed = { ...paid, id: 'evt_2', type: 'payment_intent.payment_failed' }
    expect((await send({ ...failed, data: { object: yen } })).status).toBe(200)
    const events = (await client.events.list(agent.id)).data
    expect(events).toMatchObject([
      { type: 'payment.failed', data: { amount: 1999, currency: 'JPY' } },
      {
        type: 'payment.completed',
        data: {
          amount: 19.99,
          currency: 'USD',
          counterparty: expect.stringMatching(/^[\w-]{20,}/),
        },
        externalId: `stripe evt_${agent.id}`,
        occurredAt: new Date(paid.created * 1000).toISOString(),
        reporter: { kind: 'platform', id: platform.id },
      },
    ])
    expect(events).toHaveLength(2)
  })

  test('about a dispute find the agent by the disputed payment', async () => {
    const { agent, send, paid, object } = await endpoint()
    const dispute = {
      id: 'evt_3',
      object: 'event',
      created: seconds(),
      type: 'charge.dispute.created',
      data: {
        object: {
          id: 'dp_1',
          object: 'dispute',
          amount: 1999,
          charge: 'ch_1',
          currency: 'usd',
          metadata: {},
          payment_intent: object.id,
          reason: 'fraudulent',
          status: 'needs_response',
        },
      },
    }
    const early = await send(dispute)
    expect(early.status).toBe(400)
    expect(issuesIn(early)).toEqual([
      {
        path: 'rules.1.agent',
        code: 'unknown_agent',
        message: `no report remembered ${object.id}`,
      },
    ])
    await send(paid)
    expect(await send(dispute)).toMatchObject({ status: 200, body: { accepted: 1 } })
    const [event] = (await client.events.list(agent.id)).data
    expect(event).toMatchObject({ type: 'payment.disputed', data: { amount: 19.99 } })
  })

  test('of other types are ignored', async () => {
    const { send, paid } = await endpoint()
    const answer = await send({ ...paid, type: 'customer.created' })
    expect(answer).toEqual({
      status: 200,
      body: { accepted: 0, ignored: 1, rejected: 0, errors: [], data: [] },
    })
  })

  test('without a valid or recent signature are refused', async () => {
    const { agent, send, paid, path } = await endpoint()
    const payload = JSON.stringify(paid)
    const old = { payload, secret, timestamp: seconds() - 600 }
    const wrong = [
      webhooks.generateTestHeaderString({ payload, secret: 'whsec_another' }),
      webhooks.generateTestHeaderString({ payload: `${payload} `, secret }),
      webhooks.generateTestHeaderString(old),
      't=,v1=',
      'v1=00',
      '',
    ]
    for (const header of wrong) {
      expect((await send(paid, header)).status, header).toBe(401)
    }
    expect((await post(path, payload)).body.error).toMatchObject({
      code: 'AUTHENTICATION_REQUIRED',
      message: 'there is no Stripe-Signature',
    })
    expect((await client.events.list(agent.id)).data).toEqual([])
  })
})

describe('uptime monitors', () => {
  test('of Uptime Kuma report outages and recoveries, with an API key', async () => {
    const { agent } = await newAgent(at)
    const input = await exampleOf('uptime-kuma', agent.id)
    await client.mappings.put('uptime-kuma', input)
    const { sample } = input
    const beat = (heartbeat: object) => ({
      ...sample,
      heartbeat: { ...sample.heartbeat, time: utc(), ...heartbeat },
    })
    const down = beat({})
    await client.mappings.submit('uptime-kuma', down)
    await client.mappings.submit('uptime-kuma', down)
    await client.mappings.submit('uptime-kuma', beat({ status: 1, ping: 42 }))
    // What Uptime Kuma sends when the notification is tried.
    const trial = { heartbeat: null, monitor: null, msg: 'Uptime Kuma Testing' }
    expect(await client.mappings.submit('uptime-kuma', trial)).toMatchObject({ ignored: 1 })
    const pending = beat({ status: 2 })
    expect(await client.mappings.submit('uptime-kuma', pending)).toMatchObject({ ignored: 1 })
    const events = (await client.events.list(agent.id)).data
    expect(events).toMatchObject([
      { type: 'uptime.report', data: { responseTimeMs: 42 } },
      { type: 'error.reported', data: { errorType: 'down', severity: 'high' } },
    ])
    expect(events).toHaveLength(2)
  })

  test('of Upptime report by the issues of their repository, signed by GitHub', async () => {
    const { agent } = await newAgent(at)
    const input = await exampleOf('upptime', agent.id)
    const secret = 'the secret of the webhook'
    const { path } = await client.mappings.put('upptime', {
      ...input,
      sender: { scheme: 'github', secret },
    })
    const send = async (payload: Json, by = secret) => {
      const text = JSON.stringify(payload)
      return post(path, text, { 'x-hub-signature-256': await signAsGitHub(by, text) })
    }
    const { sample } = input
    const issue = { ...sample.issue, created_at: iso() }
    const opened = { ...sample, issue }
    const closed = { ...sample, action: 'closed', issue: { ...issue, closed_at: iso() } }
    expect((await send(opened)).status).toBe(200)
    expect((await send(opened)).status).toBe(200)
    expect((await send(closed)).status).toBe(200)
    expect((await send({ ...sample, action: 'labeled' })).body).toMatchObject({ ignored: 1 })
    expect((await send(opened, 'another secret')).status).toBe(401)
    const types = (await client.events.list(agent.id)).data.map(({ type }) => type)
    expect(types).toEqual(['uptime.report', 'error.reported'])
  })

  test('a sender of Standard Webhooks is authenticated by its signature', async () => {
    const { agent } = await newAgent(at)
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const { path } = await client.mappings.put('tasks', {
      rules: [
        {
          agent: [{ path: '/data/agent' }],
          type: { constant: 'task.completed' },
          externalId: ['/data/id'],
        },
      ],
      sample: { data: { agent: agent.id, id: 1 } },
      sender: { scheme: 'standard_webhooks', secret },
    })
    const text = JSON.stringify({ data: { agent: agent.id, id: 2 } })
    const time = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', time, text),
    }
    expect((await post(path, text, headers)).body).toMatchObject({ accepted: 1 })
    expect((await post(path, `${text} `, headers)).status).toBe(401)
  })

  test.each(['==aGVsbG8gd29ybGQh', 'whsec_aGVsbG8gd29ybGQh', 'whsec_ééééééééééééé'])(
    'a secret of Standard Webhooks that is a short key, or none, is refused: %s',
    async (secret) => {
      const { agent } = await newAgent(at)
      const put = client.mappings.put('tasks', {
        rules: [{ agent: [{ path: '/agent' }], type: { constant: 'task.completed' } }],
        sample: { agent: agent.id },
        sender: { scheme: 'standard_webhooks', secret },
      })
      await expect(put).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: {
          issues: [
            { path: 'sender.secret', message: 'must be whsec_ and 24 to 64 bytes in base64' },
          ],
        },
      })
    },
  )
})

describe('a mapping', () => {
  const rule = {
    agent: [{ path: '/agent' }],
    type: { path: '/result', values: { ok: 'task.completed', bad: 'task.failed' } },
    externalId: ['/id'],
    data: { duration: { path: '/seconds', divideBy: { otherwise: 0.001 } } },
  }
  const sample = { id: 1, agent: 'shop.example.com', result: 'ok', seconds: 1.5 }

  test('is refused unless its sample becomes a report, and the error names the field', async () => {
    const issuesOf = async (rules: Json, payload: Json = sample) => {
      const refused = await client.mappings
        .put('wrong', { rules: [rules], sample: payload })
        .catch((error) => error)
      return refused.details.issues.map(({ path, message }: Json) => `${path}: ${message}`)
    }
    expect(await issuesOf({ ...rule, externalId: ['/number'] })).toEqual([
      'rules.0.externalId.0: the payload has no such value at /number',
    ])
    expect(await issuesOf(rule, { ...sample, result: 'maybe' })).toEqual([
      'rules.0.type: the table has nothing for "maybe"',
    ])
    expect(await issuesOf(rule, { ...sample, seconds: 'long' })).toEqual([
      'rules.0.data.duration: "long" is not a number',
    ])
    expect(await issuesOf({ ...rule, type: { constant: 'task.begun' } })).toEqual([
      expect.stringMatching(/^rules.0.type: must be one of task.completed, /),
    ])
    expect(await issuesOf({ ...rule, data: { amount: { constant: 1 } } })).toEqual([
      'rules.0.data.amount: is not a field of this object',
    ])
    expect(await issuesOf({ ...rule, type: { path: '/result', constant: 'x' } })).toEqual([
      'rules.0.type: must have either a path or a constant',
    ])
    expect(await issuesOf({ ...rule, when: [{ path: '/result', in: ['bad'] }] })).toEqual([
      'sample: gives no report: no rule of the mapping applies to it',
    ])
    expect(await issuesOf({ type: rule.type })).toEqual([
      'rules.0.agent: is required',
      'rules.0.externalId: is required',
    ])
    expect(await issuesOf({ ...rule, agent: [{ path: '/a/*/b/*' }] })).toEqual([
      'rules.0.agent.0.path: may have one * at most',
    ])
    await expect(client.mappings.get('wrong')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('shows in a dry run what a payload would become, and reports nothing', async () => {
    const { agent } = await newAgent(at)
    const run = (payload: Json) => client.mappings.dryRun('jobs', { payload, rules: [rule] })
    expect(await run({ ...sample, agent: agent.id })).toEqual({
      outcome: 'report',
      rule: 0,
      agentId: agent.id,
      event: { type: 'task.completed', data: { duration: 1500 }, externalId: 'jobs 1' },
      issues: [],
    })
    expect(await run({ ...sample, agent: 'nobody.example.com' })).toMatchObject({
      outcome: 'refused',
      event: null,
      issues: [
        {
          path: 'rules.0.agent',
          message: 'no agent has proven the name nobody.example.com',
        },
      ],
    })
    expect((await client.events.list(agent.id)).data).toEqual([])
    const unnamed = { payload: sample }
    await expect(client.mappings.dryRun('nothing', unnamed)).rejects.toThrow('no such mapping')
  })

  test('never shows its sender’s secret, and keeps it when the mapping is changed', async () => {
    const { agent } = await newAgent(at)
    const secret = 'a secret of 24 characters'
    const signed = { rules: [rule], sample, sender: { scheme: 'github' as const, secret } }
    const stored = await client.mappings.put('kept', signed)
    expect(stored.sender).toEqual({ scheme: 'github' })
    expect(JSON.stringify(await client.mappings.list())).not.toContain(secret)
    await client.mappings.put('kept', { ...signed, sender: { scheme: 'github' } })
    const text = JSON.stringify({ ...sample, agent: agent.id })
    const header = { 'x-hub-signature-256': await signAsGitHub(secret, text) }
    expect((await post(stored.path, text, header)).status).toBe(200)
    await expect(
      client.mappings.put('kept', { ...signed, sender: { scheme: 'stripe' } }),
    ).rejects.toMatchObject({ details: { issues: [{ path: 'sender.secret' }] } })
    await client.mappings.put('kept', { rules: [rule], sample })
    expect((await post(stored.path, text, header)).status).toBe(401)
    await client.mappings.delete('kept')
    expect((await post(stored.path, text, header)).status).toBe(404)
  })

  test('of a suspended platform reports nothing', async () => {
    const other = await newPlatform(at)
    const { agent } = await newAgent(at)
    const secret = 'a secret of 24 characters'
    const sender = { scheme: 'github' as const, secret }
    const { path } = await other.client.mappings.put('jobs', { rules: [rule], sample, sender })
    await at.operator.operator.updatePlatform(other.platform.id, { status: 'suspended' })
    const text = JSON.stringify({ ...sample, agent: agent.id })
    const header = { 'x-hub-signature-256': await signAsGitHub(secret, text) }
    expect(await post(path, text, header)).toMatchObject({
      status: 403,
      body: { error: { details: { reason: 'platform_suspended' } } },
    })
    expect((await post(path, text, { 'x-hub-signature-256': 'sha256=00' })).status).toBe(401)
  })

  test('refuses a payload without the agent’s id, and names the rule', async () => {
    const strange = [
      { ...sample, agent: { id: 'x' } },
      { ...sample, agent: null },
      { ...sample, agent: ['x'] },
      JSON.parse('{"id":1,"result":"ok","agent":""}'),
    ]
    await client.mappings.put('jobs', { rules: [rule], sample })
    for (const payload of strange) {
      await expect(client.mappings.submit('jobs', payload)).rejects.toMatchObject({
        details: { issues: [{ path: 'rules.0.agent' }] },
      })
    }
    const inherited = { ...rule, agent: [{ path: '/constructor/name' }] }
    await expect(client.mappings.put('jobs', { rules: [inherited], sample })).rejects.toMatchObject(
      { details: { issues: [{ path: 'rules.0.agent' }] } },
    )
  })
})

describe('the mapping of a standard', () => {
  test('for otlp names the agent by another attribute, and other spans follow the conventions', async () => {
    const { client: own, platform: reporter } = await newPlatform(at)
    const { agent } = await newAgent(at)
    await own.mappings.put('otlp', {
      rules: [
        {
          when: [{ path: '/attributes/bot.id' }],
          agent: [{ path: '/attributes/bot.id', values: { '7': agent.id } }],
          data: { taskClass: { path: '/attributes/bot.job' } },
        },
      ],
      sample: { name: 'job', attributes: { 'bot.id': '7', 'bot.job': 'parse' } },
    })
    const end = BigInt(now()) * 1_000_000n
    const span = (attributes: Readonly<Record<string, string>>, i: number) => ({
      traceId: crypto.randomUUID().replaceAll('-', ''),
      spanId: `000000000000001${i}`,
      name: 'job',
      startTimeUnixNano: String(end - 1_500_000_000n),
      endTimeUnixNano: String(end),
      status: { code: i === 1 ? 2 : 0 },
      attributes: Object.entries(attributes).map(([key, stringValue]) => ({
        key,
        value: { stringValue },
      })),
    })
    const spans = [
      span({ 'bot.id': '7', 'bot.job': 'parse' }, 0),
      span({ 'bot.id': '7' }, 1),
      span({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.id': agent.id }, 2),
      span({ 'bot.id': '8' }, 3),
      { ...span({ 'bot.id': '7' }, 4), spanId: '0'.repeat(16) },
      { ...span({ 'bot.id': '7' }, 5), endTimeUnixNano: undefined },
      { ...span({ 'other.id': '7' }, 6), endTimeUnixNano: undefined },
    ]
    const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
    const answer = await post('/v1/otlp/v1/traces', text, { 'x-api-key': reporter.apiKey })
    const { partialSuccess } = answer.body
    expect(partialSuccess.rejectedSpans).toBe('3')
    expect(partialSuccess.errorMessage).toMatch(/spans\.3: otlp\.rules\.0\.agent: /)
    expect(partialSuccess.errorMessage).toMatch(/spans\.4\.spanId: must be 8 bytes/)
    expect(partialSuccess.errorMessage).toMatch(/spans\.5\.endTimeUnixNano: is missing/)
    const events = (await own.events.list(agent.id)).data
    expect(events.map(({ type, data }) => [type, data])).toEqual(
      expect.arrayContaining([
        ['task.completed', { duration: 1500, taskClass: 'parse' }],
        ['task.failed', { duration: 1500 }],
        ['task.completed', { duration: 1500 }],
      ]),
    )
  })

  test('for cloudevents defines the meaning of other event types', async () => {
    const { client: own, platform: reporter } = await newPlatform(at)
    const { agent } = await newAgent(at)
    await own.mappings.put('cloudevents', {
      rules: [
        {
          when: [{ path: '/type', in: ['com.example.order.done'] }],
          type: { constant: 'task.completed' },
          data: { duration: { path: '/data/ms' } },
        },
      ],
      sample: { type: 'com.example.order.done', data: { ms: 12 } },
    })
    const event = { specversion: '1.0', source: '/orders', id: '1', time: iso() }
    const done = { ...event, type: 'com.example.order.done', data: { ms: 12, other: 'x' } }
    const text = JSON.stringify([done, done, { ...event, id: '2', type: 'com.example.begun' }])
    const headers = {
      'x-api-key': reporter.apiKey,
      'content-type': 'application/cloudevents-batch+json',
    }
    const answer = await post(`/v1/agents/${agent.id}/events/batch`, text, headers)
    expect(answer.body).toMatchObject({
      accepted: 2,
      rejected: 1,
      errors: [{ index: 2, details: { issues: [{ path: '2.type' }] } }],
      data: [{ data: { duration: 12 }, externalId: '/orders 1' }, {}],
    })
    expect((await own.events.list(agent.id)).data).toHaveLength(1)
  })

  test('reports a batch of CloudEvents about several agents', async () => {
    const { client: own, platform: reporter } = await newPlatform(at)
    const agents = [(await newAgent(at)).agent.id, (await newAgent(at)).agent.id]
    await own.mappings.put('orders', {
      rules: [
        {
          agent: [{ path: '/subject' }],
          type: { constant: 'task.completed' },
          externalId: ['/source', '/id'],
        },
      ],
      sample: { subject: 'a', source: '/s', id: '1' },
    })
    const events = [...agents, 'nobody.example.com'].map((subject, i) => ({
      specversion: '1.0',
      id: String(i),
      source: '/s',
      type: 'x',
      subject,
    }))
    const headers = {
      'x-api-key': reporter.apiKey,
      'content-type': 'application/cloudevents-batch+json',
    }
    const answer = await post('/v1/mappings/orders/events', JSON.stringify(events), headers)
    expect(answer.body).toMatchObject({
      accepted: 2,
      rejected: 1,
      errors: [{ index: 2, code: 'VALIDATION_ERROR' }],
      data: agents.map((agentId) => ({ agentId })),
    })
  })
})

test('the audit log names the rules of a mapping by their hash, however long they are', async () => {
  const { client: own, platform: reporter } = await newPlatform(at)
  const rule = {
    when: [{ path: '/type', in: Array.from({ length: 200 }, (_, i) => `value ${i}`.repeat(10)) }],
    agent: [{ path: '/agent' }],
    type: { constant: 'task.completed' },
    externalId: ['/id'],
  }
  const sample = { type: rule.when[0]?.in[0], agent: 'a', id: '1' }
  await own.mappings.put('long', { rules: [rule], sample })
  const { data } = await at.operator.operator.audit({ limit: 1 })
  expect(data).toMatchObject([{ action: 'mapping.saved', actor: { id: reporter.id } }])
  expect(data[0]?.details).toEqual({
    rules: 1,
    rulesHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    scheme: null,
  })
})

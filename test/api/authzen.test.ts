import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })

/**
 * The fixture of the certification scenario: alice may read and write, bob may read. Here alice is an
 * agent with good reports, bob a new one, and `read` and `write` are policies.
 */
const { agent: alice } = await newAgent(at)
const { agent: bob } = await newAgent(at)
const { platform, client } = await newPlatform(at, { verified: true })
await client.events.report(
  alice.id,
  Array.from({ length: 60 }, () => ({ type: 'task.completed' as const })),
)
await client.policies.put('read', { minScore: 100 })
await client.policies.put('write', { minScore: 150 })

const user = (agent: { readonly id: string }) => ({ type: 'user', id: agent.id })
const read = { name: 'read' }
const write = { name: 'write' }
const record = { type: 'record', id: 'record-1' }

function post(path: string, json: unknown, headers: Readonly<Record<string, string>> = {}) {
  return send(at.url + path, { json, key: platform.apiKey, headers })
}

const evaluation = (json: unknown, headers?: Readonly<Record<string, string>>) =>
  post('/access/v1/evaluation', json, headers)
const evaluations = (json: unknown) => post('/access/v1/evaluations', json)

describe('Basic: an access evaluation (c-2)', () => {
  test.each([
    ['alice reads', { subject: user(alice), action: read, resource: record }, true],
    ['alice writes', { subject: user(alice), action: write, resource: record }, true],
    ['bob reads', { subject: user(bob), action: read, resource: record }, true],
    ['bob writes', { subject: user(bob), action: write, resource: record }, false],
    [
      'with context and unknown fields',
      {
        subject: { ...user(alice), nickname: 'al' },
        action: { ...read, properties: { method: 'GET' } },
        resource: { ...record, properties: { status: 'active' } },
        context: { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' },
        more: [1],
      },
      true,
    ],
    [
      'of a stranger',
      { subject: { type: 'user', id: 'carol' }, action: read, resource: record },
      false,
    ],
  ])('%s', async (_, request, decision) => {
    const { status, headers, body } = await evaluation(request)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body).toMatchObject({ decision, context: { reasons: [expect.any(Object)] } })
    // A repeated request gets the same decision (c-2-6).
    expect((await evaluation(request)).body.decision).toBe(decision)
  })

  test('the amount at risk is read from the action, the resource or the context', async () => {
    const ask = { subject: user(bob), action: read, resource: record }
    const risk = { amount: 1_000, currency: 'USD' }
    const policy = { minScore: 0, maxExposure: 10 }
    for (const request of [
      { ...ask, action: { ...read, properties: risk }, context: { policy } },
      { ...ask, resource: { ...record, properties: risk }, context: { policy } },
      { ...ask, context: { ...risk, policy } },
    ]) {
      expect((await evaluation(request)).body).toMatchObject({
        decision: false,
        context: { decision: 'deny', reasons: [{ code: 'above_max_exposure' }] },
      })
    }
    const { body } = await evaluation({ ...ask, context: { policy } })
    expect(body).toMatchObject({ decision: true, context: { policy: { maxExposure: 10 } } })
  })

  test('the verdict review is not a permit', async () => {
    const context = { policy: { minScore: 0, minConfidence: 'high' } }
    const request = { subject: user(bob), action: read, resource: record, context }
    const { body } = await evaluation(request)
    expect(body).toMatchObject({ decision: false, context: { decision: 'review' } })
  })

  const whole = { subject: user({ id: 'x' }), action: read, resource: record }
  test.each([
    ['subject', { ...whole, subject: undefined }],
    ['action', { ...whole, action: undefined }],
    ['resource', { ...whole, resource: undefined }],
    ['subject.type', { ...whole, subject: { id: 'x' } }],
    ['subject.id', { ...whole, subject: { type: 'user' } }],
    ['action.name', { ...whole, action: {} }],
    ['resource.type', { ...whole, resource: { id: 'x' } }],
    ['resource.id', { ...whole, resource: { type: 'x' } }],
    ['subject', { ...whole, subject: 'alice' }],
    ['action.name', { ...whole, action: { name: 123 } }],
    ['action.properties.amount', { ...whole, action: { name: 'x', properties: { amount: -1 } } }],
    ['context.policy', { ...whole, context: { policy: 'nowhere' } }],
    ['context', { ...whole, context: 'now' }],
  ])('a request without a valid %s is 400, which names it', async (path, request) => {
    const { status, body } = await evaluation(request)
    expect(status).toBe(400)
    expect(body.error.details.issues).toContainEqual(expect.objectContaining({ path }))
  })

  test.each([
    ['another content type', 'text/plain', '{}'],
    ['no content type', '', '{}'],
    ['malformed JSON', 'application/json', '{"subject":'],
    ['an empty body', 'application/json', ''],
    ['a list', 'application/json', '[]'],
  ])('a request with %s is 400', async (_, type, body) => {
    const headers = { 'x-api-key': platform.apiKey, 'content-type': type }
    const url = `${at.url}/access/v1/evaluation`
    const { status } = await fetch(url, { method: 'POST', headers, body: Buffer.from(body) })
    expect(status).toBe(400)
  })

  test('the request’s id is returned, in refusals too; a request without one gets a new one', async () => {
    const id = 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716 any "text"'
    const request = { subject: user(alice), action: read, resource: record }
    const headers = { 'x-request-id': id }
    expect((await evaluation(request, headers)).headers.get('x-request-id')).toBe(id)
    const refused = await evaluation({}, headers)
    expect(refused.headers.get('x-request-id')).toBe(id)
    expect(refused.body.error.details.requestId).toBe(id)
    expect((await evaluation(request)).headers.get('x-request-id')).toMatch(/^[\w-]{20,}$/)
  })

  test('it requires a credential', async () => {
    const url = `${at.url}/access/v1/evaluation`
    expect((await send(url, { json: whole })).status).toBe(401)
    expect((await send(url, { json: whole, key: 'avp_wrong' })).status).toBe(401)
  })
})

describe('Batch: access evaluations (c-3)', () => {
  const decisionsOf = async (json: unknown) => {
    const { status, body } = await evaluations(json)
    expect(status).toBe(200)
    return body.evaluations.map(({ decision }: { decision: boolean }) => decision)
  }

  test('have defaults, which replace whole entities, and results in the order of the request', async () => {
    const evaluationsOfBob = [{ action: read }, { action: write }]
    expect(
      await decisionsOf({ subject: user(bob), resource: record, evaluations: evaluationsOfBob }),
    ).toEqual([true, false])
    expect(
      await decisionsOf({
        evaluations: [
          { subject: user(alice), action: read, resource: record },
          { subject: user(bob), action: write, resource: record },
        ],
      }),
    ).toEqual([true, false])
    expect(
      await decisionsOf({
        subject: user(alice),
        action: write,
        resource: record,
        context: { time: '2025-06-27T18:03-07:00' },
        evaluations: [{}, { subject: user(bob), context: { source: 'override' } }],
      }),
    ).toEqual([true, false])
  })

  test('an incomplete evaluation is denied with its own error', async () => {
    const { status, body } = await evaluations({
      subject: user(alice),
      action: read,
      options: { evaluations_semantic: 'execute_all', another_option: 'value' },
      evaluations: [{ resource: record }, {}, { resource: record, action: {} }],
    })
    expect(status).toBe(200)
    expect(body.evaluations).toEqual([
      expect.objectContaining({ decision: true }),
      {
        decision: false,
        context: { error: { status: 400, message: 'evaluations.1.resource: is required' } },
      },
      {
        decision: false,
        context: { error: { status: 400, message: 'evaluations.2.action.name: is required' } },
      },
    ])
  })

  test('an evaluation that is no object is denied, also where the request has all members', async () => {
    const request = { subject: user(alice), action: read, resource: record }
    expect(await decisionsOf({ ...request, evaluations: [{}, null, [], 7] })).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  test.each([
    ['deny_on_first_deny', [true, false]],
    ['permit_on_first_permit', [true]],
    ['execute_all', [true, false, true]],
  ])('%s', async (evaluations_semantic, expected) => {
    const request = {
      action: write,
      resource: record,
      options: { evaluations_semantic },
      evaluations: [alice, bob, alice].map((agent) => ({ subject: user(agent) })),
    }
    expect(await decisionsOf(request)).toEqual(expected)
  })

  test('take amounts and policies from the defaults, however many other fields these have', async () => {
    const others = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [i.toString(36), 0]))
    const request = { ...others, subject: user(alice), action: read, resource: record }
    const strict = { ...others, policy: { minScore: 100, maxExposure: 10 }, currency: 'USD' }
    const reasonsOf = async (json: object) => {
      const { body } = await evaluations({ ...request, ...json })
      return body.evaluations.map(({ context }: { context: { reasons: { code: string }[] } }) =>
        context.reasons.some(({ code }) => code === 'above_max_exposure'),
      )
    }
    const small = { context: { policy: strict.policy, amount: 1, currency: 'USD' } }
    expect(
      await reasonsOf({ context: { ...strict, amount: 20 }, evaluations: [{}, small] }),
    ).toEqual([true, false])
    const action = { ...read, properties: { ...others, amount: 20 } }
    expect(
      await reasonsOf({ action, context: strict, evaluations: [{}, { action: read }] }),
    ).toEqual([true, false])
  })

  test('an evaluation of the other mode is denied, and the others are not affected', async () => {
    const { owner } = await newAgent(at)
    const tried = await owner.client
      .with({ mode: 'test' })
      .agents.register({ displayName: 'tried' })
    const { status, body } = await evaluations({
      action: read,
      resource: record,
      evaluations: [{ subject: user(tried) }, { subject: user(alice) }],
    })
    expect(status).toBe(200)
    expect(body.evaluations).toEqual([
      {
        decision: false,
        context: { error: { status: 403, message: expect.stringContaining('this is test data') } },
      },
      expect.objectContaining({ decision: true }),
    ])
  })

  test('of a request without evaluations are one evaluation', async () => {
    const request = { subject: user(alice), action: read, resource: record }
    for (const more of [{}, { evaluations: [] }]) {
      const { status, body } = await evaluations({ ...request, ...more })
      expect([status, body.decision, body.evaluations]).toEqual([200, true, undefined])
    }
    expect((await evaluations({ subject: user(alice), evaluations: [] })).status).toBe(400)
  })

  test.each([
    [
      'options.evaluations_semantic',
      { options: { evaluations_semantic: 'any' }, evaluations: [{}] },
    ],
    ['subject', { subject: 'alice', evaluations: [{}] }],
    ['evaluations', { evaluations: {} }],
    ['evaluations', { evaluations: Array.from({ length: 101 }, () => ({})) }],
  ])('with a wrong %s are 400 as a whole', async (path, request) => {
    const { status, body } = await evaluations(request)
    expect(status).toBe(400)
    expect(body.error.details.issues).toContainEqual(expect.objectContaining({ path }))
  })
})

describe('Discovery: the metadata of the decision point (c-6)', () => {
  test('names the service by the address of the request, and the two endpoints', async () => {
    const { status, headers, body } = await send(`${at.url}/.well-known/authzen-configuration`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body).toEqual({
      policy_decision_point: at.url,
      access_evaluation_endpoint: `${at.url}/access/v1/evaluation`,
      access_evaluations_endpoint: `${at.url}/access/v1/evaluations`,
    })
    expect((await send(body.access_evaluation_endpoint, { json: {} })).status).toBe(401)
  })
})

test('an agent that does not exist is decided on as an unknown one', async () => {
  const context = { policy: { minScore: 0, unknown: 'allow' } }
  for (const id of [randomUUID(), 'did:web:nobody.example.com']) {
    const request = { subject: { type: 'agent', id }, action: read, resource: record, context }
    expect((await evaluation(request)).body).toMatchObject({
      decision: true,
      context: { agent: null, reasons: [{ code: 'agent_unknown' }] },
    })
  }
})

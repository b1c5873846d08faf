import { describe, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { send } from '../support/http.ts'
import {
  newAgent,
  newOwner,
  newPlatform,
  OPERATOR_KEY,
  PASSWORD,
  startService,
} from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const key = (value: string) => ({ 'idempotency-key': value })
const JSON_TYPE = 'application/json'
const DONE = { type: 'task.completed' }

/** Responses to requests that came while it ran; on a busy machine, to some that it is busy. */
const COME_BACK = ['IDEMPOTENCY_IN_PROGRESS', 'SERVICE_UNAVAILABLE']

/** What became of many requests at once: the statuses, and the bodies of those that were answered. */
async function race(count: number, request: (i: number) => ReturnType<typeof send>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => request(i)))
  const done = answers.filter(({ status }) => status < 300)
  const rest = answers.filter(({ status }) => status >= 300)
  return { done, rest, ids: new Set(done.map(({ body }) => body.id)) }
}

describe('a repeated key', () => {
  test('returns the response of the first request, one-time secret included, and runs nothing', async () => {
    const { token, client } = await newOwner(at)
    const json = { displayName: 'once' }
    const request = () => send(`${at.url}/v1/agents`, { key: token, json, headers: key('k-1') })
    const first = await request()
    const again = await request()
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await client.agents.list()).data).toHaveLength(1)
  })

  test('of an operator is another key in test mode', async () => {
    const json = { name: 'Acme' }
    const create = (mode: string) =>
      send(`${at.url}/v1/operator/platforms`, {
        key: OPERATOR_KEY,
        json,
        headers: { ...key('both-modes'), 'standing-mode': mode },
      })
    const [live, trial, again] = [await create('live'), await create('test'), await create('test')]
    expect([live.body.mode, trial.body.mode]).toEqual(['live', 'test'])
    expect(again.text).toBe(trial.text)
  })

  test('is the same key with and without quotes', async () => {
    const { agent } = await newAgent(at)
    const url = `${at.url}/v1/events`
    const first = await send(url, { key: agent.apiKey, json: DONE, headers: key('quoted') })
    const again = await send(url, { key: agent.apiKey, json: DONE, headers: key('"quoted"') })
    expect(again.body.id).toBe(first.body.id)
  })

  test('is the same request with the id of the agent in capitals', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at)
    const report = (id: string) =>
      send(`${at.url}/v1/agents/${id}/events`, {
        key: platform.apiKey,
        json: DONE,
        headers: key('capitals'),
      })
    const first = await report(agent.id)
    expect((await report(agent.id.toUpperCase())).body.id).toBe(first.body.id)
  })

  test('with another request is refused, and runs nothing', async () => {
    const { agent } = await newAgent(at)
    const url = `${at.url}/v1/events`
    await send(url, { key: agent.apiKey, json: DONE, headers: key('reused') })
    const other = await send(url, {
      key: agent.apiKey,
      json: { type: 'task.failed' },
      headers: key('reused'),
    })
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(1)
  })

  test('with the same JSON in another spelling is the same request', async () => {
    const { agent } = await newAgent(at)
    const report = async (body: string) => {
      const headers = { ...key('spelt'), 'x-api-key': agent.apiKey, 'content-type': JSON_TYPE }
      const answer = await fetch(`${at.url}/v1/events`, { method: 'POST', headers, body })
      return { status: answer.status, body: (await answer.json()) as { readonly id?: string } }
    }
    const first = await report('{"type":"task.completed","data":{"taskClass":"w","difficulty":1}}')
    expect(first.status).toBe(201)
    for (const same of [
      '{ "type": "task.completed",\n "data": { "taskClass": "w", "difficulty": 1 } }\n',
      '{"data":{"difficulty":1,"taskClass":"w"},"type":"task.completed"}',
      '{"type":"task.completed","data":{"taskClass":"w","difficulty":1.0}}',
      '{"type":"task.completed","data":{"taskClass":"\\u0077","difficulty":1e0}}',
      '{"type":"task.failed","type":"task.completed","data":{"taskClass":"w","difficulty":1}}',
    ]) {
      expect(await report(same)).toEqual(first)
    }
    for (const other of [
      '{"type":"task.completed","data":{"taskClass":"w","difficulty":2}}',
      '{"type":"task.completed","data":{"taskClass":"W","difficulty":1}}',
      '{"type":"task.completed","data":{"taskClass":"w","difficulty":1},"externalId":"w"}',
    ]) {
      expect((await report(other)).status).toBe(422)
    }
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(1)
  })

  test('belongs to the caller: another caller’s is another key', async () => {
    const one = await newAgent(at)
    const two = await newAgent(at)
    const url = `${at.url}/v1/events`
    const first = await send(url, { key: one.agent.apiKey, json: DONE, headers: key('mine') })
    const second = await send(url, { key: two.agent.apiKey, json: DONE, headers: key('mine') })
    expect(second.body.agentId).toBe(two.agent.id)
    expect(first.body.agentId).toBe(one.agent.id)
  })

  test('on a read is ignored, whatever its form: the response is the current state', async () => {
    const { token, client } = await newOwner(at)
    for (const value of ['read', 'read', 'not a key']) {
      const agent = await client.agents.register({ displayName: 'agent' })
      const { status, headers, body } = await send(`${at.url}/v1/agents?limit=1`, {
        key: token,
        headers: key(value),
      })
      expect([status, headers.get('idempotent-replayed')]).toEqual([200, null])
      expect(body.data[0].id).toBe(agent.id)
    }
  })

  test('of a request that the operation refused returns the refusal', async () => {
    const { owner, email } = await newOwner(at)
    const json = { email, password: PASSWORD }
    const request = () => send(`${at.url}/v1/auth/register`, { json, headers: key('conflict') })
    const first = await request()
    const again = await request()
    expect([first.status, again.status]).toEqual([409, 409])
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(owner.email).toBe(email)
  })

  test('of an invalid request stores nothing, and the corrected request runs', async () => {
    const { agent } = await newAgent(at)
    const url = `${at.url}/v1/events`
    const bad = await send(url, { key: agent.apiKey, json: { type: 'x' }, headers: key('fixed') })
    const good = await send(url, { key: agent.apiKey, json: DONE, headers: key('fixed') })
    expect([bad.status, good.status]).toEqual([400, 201])
  })

  test('returns no stored response to a credential that is no longer valid', async () => {
    const { agent, owner } = await newAgent(at)
    const url = `${at.url}/v1/events`
    await send(url, { key: agent.apiKey, json: DONE, headers: key('gone') })
    await owner.client.agents.deactivate(agent.id)
    const after = await send(url, { key: agent.apiKey, json: DONE, headers: key('gone') })
    expect(after.status).toBe(401)
  })

  test.each(['', ' ', 'ä', 'x'.repeat(256), 'a b'])(
    'of the form "%s" is refused',
    async (value) => {
      const { agent } = await newAgent(at)
      const headers = { 'idempotency-key': Buffer.from(value).toString('latin1') }
      const { status } = await send(`${at.url}/v1/events`, {
        key: agent.apiKey,
        json: DONE,
        headers,
      })
      // An empty header is no key at all for some clients; it must not be taken for one.
      expect(status).toBe(400)
    },
  )
})

describe('two hundred requests at once with one key on two nodes', () => {
  test('register an agent once', async () => {
    const { token, client, owner } = await newOwner(at)
    // Two hundred requests are more than a Free minute has.
    await at.operator.operator.setOwnerTier(owner.id, 'growth')
    const second = await at.node()
    const { done, rest, ids } = await race(200, (i) =>
      send(`${i % 2 ? at.url : second.url}/v1/agents`, {
        key: token,
        json: { displayName: 'raced' },
        headers: key('race-agent'),
      }),
    )
    expect(ids.size).toBe(1)
    expect(done.length).toBeGreaterThan(0)
    for (const { body } of rest) {
      expect(COME_BACK).toContain(body.error.code)
    }
    expect((await client.agents.list()).data).toHaveLength(1)
  })

  test('count an event once', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at)
    const second = await at.node()
    const { rest, ids } = await race(200, (i) =>
      send(`${i % 2 ? at.url : second.url}/v1/agents/${agent.id}/events`, {
        key: platform.apiKey,
        json: DONE,
        headers: key('race-event'),
      }),
    )
    expect(ids.size).toBe(1)
    for (const { body, headers } of rest) {
      expect(COME_BACK).toContain(body.error.code)
      expect(headers.get('retry-after')).toBe('1')
    }
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(1)
  })
})

test('stored responses cannot be read from the database', async () => {
  const { token } = await newOwner(at)
  const { body } = await send(`${at.url}/v1/agents`, {
    key: token,
    json: { displayName: 'secret' },
    headers: key('sealed'),
  })
  const pool = createPool({ url: at.database.url }, { max: 1 })
  const { rows } = await pool.query<{ sealed: Buffer }>('select sealed from stored_responses')
  await pool.end()
  expect(rows.length).toBeGreaterThan(0)
  for (const { sealed } of rows) {
    expect(sealed.toString('latin1')).not.toContain(body.apiKey)
  }
})

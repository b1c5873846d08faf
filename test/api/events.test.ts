import { describe, expect, test } from 'vitest'
import { EVENT_TYPES, REPORTED_TYPES } from '../../src/domain/event.ts'
import { refusal, send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService({
  STANDING_EVENTS_PER_AGENT_HOUR: '1000',
  STANDING_EVENTS_PER_PLATFORM_HOUR: '1000',
})
const DONE = { type: 'task.completed' as const }
const CREDENTIAL_TYPES = ['credential.issued', 'credential.revoked'] as const
const TYPES = REPORTED_TYPES.filter((type) => EVENT_TYPES[type].dimension !== 'identity')

describe('one event', () => {
  test('that a platform reports changes the score and is in the history', async () => {
    const { agent, client } = await newAgent(at)
    const { client: platform, platform: reporter } = await newPlatform(at)
    const event = await platform.events.submit(agent.id, {
      ...DONE,
      data: { duration: 1200, success: true },
    })
    expect(event).toMatchObject({
      agentId: agent.id,
      type: 'task.completed',
      dimension: 'reliability',
      impact: 'positive',
      isSelfReported: false,
      reporter: { kind: 'platform', id: reporter.id },
      weight: 1,
      fraudFlags: [],
      isQuarantined: false,
      quarantineReason: null,
      attestationVerified: false,
      review: null,
    })
    const score = await at.anyone.score.get(agent.id)
    expect(score.score).toBeGreaterThan(100)
    expect(score).toMatchObject({
      eventCount: 1,
      evidence: { platformReported: 1, selfReported: 0, quarantined: 0 },
    })
    const history = await at.anyone.score.getHistory(agent.id)
    expect(history.data).toMatchObject([
      { score: score.score, trigger: { kind: 'event', id: event.id, type: 'task.completed' } },
    ])
    expect((await client.events.list()).data).toEqual([event])
  })

  test('that the agent reports itself is marked as self-reported, and weighs a tenth', async () => {
    const { agent, client } = await newAgent(at)
    const event = await client.events.submit(agent.id, DONE)
    expect(event).toMatchObject({
      isSelfReported: true,
      weight: 0.1,
      reporter: { kind: 'agent', id: agent.id },
    })
    expect(await at.anyone.score.get(agent.id)).toMatchObject({
      evidence: { platformReported: 0, selfReported: 1, quarantined: 0 },
    })
  })

  test('of a platform weighs a tenth for agents of the same owner, and in full for others', async () => {
    const { agent, owner } = await newAgent(at)
    const { agent: other } = await newAgent(at)
    const { client } = await newPlatform(at, { ownerId: owner.owner.id })
    expect(await client.events.submit(agent.id, DONE)).toMatchObject({
      weight: 0.1,
      isSelfReported: false,
    })
    expect(await client.events.submit(other.id, DONE)).toMatchObject({ weight: 1 })
  })

  test.each(TYPES)('of type %s is accepted without data, in its dimension', async (type) => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    const { dimension, impact } = EVENT_TYPES[type]
    expect(await client.events.submit(agent.id, { type })).toMatchObject({
      type,
      dimension,
      impact,
      data: {},
    })
    const { breakdown } = await at.anyone.score.get(agent.id)
    expect(breakdown[dimension].eventCount).toBe(1)
  })

  test.each(CREDENTIAL_TYPES)(
    'of type %s is quarantined unless it names an active credential of the agent',
    async (type) => {
      const { agent, owner } = await newAgent(at)
      const other = await newAgent(at)
      const { client } = await newPlatform(at)
      const issue = async (agentId: string, issuer = owner) =>
        (await issuer.client.credentials.issue({ agentId, type: 'Audit', claims: {} })).id
      const [living, revoked] = [await issue(agent.id), await issue(agent.id)]
      await owner.client.credentials.revoke(revoked)
      const foreign = await issue(other.agent.id, other.owner)
      const submit = (data: { credentialId?: string }) =>
        client.events.submit(agent.id, { type, data })
      for (const data of [
        {},
        { credentialId: 'audit-7' },
        { credentialId: '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e' },
        { credentialId: revoked },
        { credentialId: foreign },
      ]) {
        expect(await submit(data)).toMatchObject({
          isQuarantined: true,
          fraudFlags: ['contradictory_data'],
        })
      }
      const { breakdown } = await at.anyone.score.get(agent.id)
      expect(await submit({ credentialId: living })).toMatchObject({
        dimension: 'identity',
        impact: EVENT_TYPES[type].impact,
        isQuarantined: false,
      })
      const { breakdown: after } = await at.anyone.score.get(agent.id)
      expect(after.identity.eventCount).toBe(breakdown.identity.eventCount + 1)
    },
  )

  test('can have empty texts in its data', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    const texts = {
      'task.failed': { errorCode: '' },
      'error.reported': { errorType: '' },
      'credential.issued': { credentialId: '', credentialType: '' },
    } as const
    for (const [type, data] of Object.entries(texts)) {
      const event = await client.events.submit(agent.id, { type, data } as never)
      expect(event.data).toEqual(data)
    }
  })

  test('of an unknown type, or with data of another type, is refused with the field named', async () => {
    const { agent, client } = await newAgent(at)
    const bad = [
      [{ type: 'task.exploded' }, 'type'],
      [{ type: 'task.completed', data: { amount: 1 } }, 'data.amount'],
      [{ type: 'payment.completed', data: { amount: -1 } }, 'data.amount'],
      [{ type: 'payment.completed', data: { currency: 'XXQ' } }, 'data.currency'],
      [{ type: 'uptime.report', data: { uptimePercentage: 101 } }, 'data.uptimePercentage'],
      [{ type: 'error.reported', data: { severity: 'terrible' } }, 'data.severity'],
      [{ type: 'task.failed', data: { errorCode: 'x'.repeat(201) } }, 'data.errorCode'],
      [{ type: 'task.failed', data: { difficulty: 4 } }, 'data.difficulty'],
      [{ type: 'task.failed', data: { difficulty: '2' } }, 'data.difficulty'],
      [{ type: 'task.failed', data: { difficulty: 1.5 } }, 'data.difficulty'],
      [{ type: 'task.failed', data: { taskClass: '' } }, 'data.taskClass'],
      [{ type: 'task.failed', data: { taskClass: 'x'.repeat(65) } }, 'data.taskClass'],
      [{ type: 'error.reported', data: { counterparty: 'shop' } }, 'data.counterparty'],
      [{ type: 'task.failed', data: { counterparty: '' } }, 'data.counterparty'],
      [{ type: 'payment.failed', data: { counterparty: '' } }, 'data.counterparty'],
      [{ type: 'payment.failed', data: { counterparty: 'x'.repeat(101) } }, 'data.counterparty'],
      [{ type: 'payment.failed', data: { counterparty: 7 } }, 'data.counterparty'],
      [{ type: 'payment.failed', data: { taskClass: 'translation' } }, 'data.taskClass'],
      [{ type: 'uptime.report', data: { difficulty: 1 } }, 'data.difficulty'],
      [{ type: 'task.failed', extra: 1 }, 'extra'],
      [{ type: 'task.failed', externalId: 'x'.repeat(101) }, 'externalId'],
      [{ type: 'task.failed', occurredAt: 'yesterday' }, 'occurredAt'],
      [{ type: 'task.failed', occurredAt: new Date(Date.now() + 10 * 60_000) }, 'occurredAt'],
      [{ type: 'task.failed', occurredAt: new Date(Date.now() - 31 * 86_400_000) }, 'occurredAt'],
    ] as const
    for (const [json, path] of bad) {
      const { status, body } = await send(`${at.url}/v1/events`, { key: agent.apiKey, json })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body.error.details.issues[0].path).toBe(path)
    }
    expect((await client.events.list()).data).toEqual([])
  })

  test('of an unknown type, or of none, is refused with every other problem too', async () => {
    const { agent } = await newAgent(at)
    const rest = {
      data: { amount: -1, uptimePercentage: 99, colour: 'red' },
      occurredAt: 'yesterday',
      externalId: '',
      extra: 1,
    }
    const paths = ['data.amount', 'data.colour', 'occurredAt', 'externalId', 'extra']
    const pathsOf = ({ details }: { details: { issues: { path: string }[] } }) =>
      details.issues.map(({ path }) => path)
    for (const event of [{ type: 'task.exploded', ...rest }, rest]) {
      const one = await send(`${at.url}/v1/events`, { key: agent.apiKey, json: event })
      expect([one.status, pathsOf(one.body.error)]).toEqual([400, ['type', ...paths]])
      const json = { events: [event, DONE] }
      const many = await send(`${at.url}/v1/events/batch`, { key: agent.apiKey, json })
      const [error] = many.body.errors
      expect(many.body).toMatchObject({ accepted: 1, rejected: 1 })
      expect(pathsOf(error)).toEqual(['type', ...paths].map((path) => `events.0.${path}`))
    }
  })

  test('can have a time in small letters, and is the same event as with large ones', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at)
    const url = `${at.url}/v1/agents/${agent.id}/events`
    const time = new Date().toISOString()
    const ids: string[] = []
    for (const occurredAt of [time.toLowerCase(), time]) {
      const json = { ...DONE, occurredAt, externalId: 'order-1' }
      const { body } = await send(url, { key: platform.apiKey, json })
      expect(body).toMatchObject({ occurredAt: time })
      ids.push(body.id)
    }
    expect(new Set(ids).size).toBe(1)
  })

  test('with a member twice has the last one', async () => {
    const { agent } = await newAgent(at)
    const response = await fetch(`${at.url}/v1/events`, {
      method: 'POST',
      headers: { 'x-api-key': agent.apiKey, 'content-type': 'application/json' },
      body: '{"type":"task.failed","type":"task.completed","data":{"duration":1,"duration":2}}',
    })
    expect(await response.json()).toMatchObject({ type: 'task.completed', data: { duration: 2 } })
  })

  test('of an unknown difficulty is refused with the list of difficulties', async () => {
    const { agent } = await newAgent(at)
    const json = { type: 'task.failed', data: { difficulty: 4 } }
    const { body } = await send(`${at.url}/v1/events`, { key: agent.apiKey, json })
    expect(body.error.message).toBe('data.difficulty: must be one of 1, 2, 3')
  })

  test('about an unknown agent is NOT_FOUND; by another caller it is refused', async () => {
    const { agent, owner, client } = await newAgent(at)
    const { client: platform, platform: record } = await newPlatform(at)
    const missing = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
    expect(await refusal(platform.events.submit(missing, DONE))).toMatchObject({ status: 404 })
    const post = (path: string, key?: string) =>
      send(`${at.url}${path}`, { json: DONE, ...(key ? { key } : {}) })
    expect((await post(`/v1/agents/${agent.id}/events`)).status).toBe(401)
    expect((await post(`/v1/agents/${agent.id}/events`, agent.apiKey)).status).toBe(403)
    expect((await post(`/v1/agents/${agent.id}/events`, owner.token)).status).toBe(403)
    expect((await post('/v1/events', record.apiKey)).status).toBe(403)
    expect((await client.events.list()).data).toEqual([])
  })
})

test('a counterparty of a task or a payment is returned under one name that hides the reported one', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const stored = async (type: 'task.completed' | 'payment.completed', counterparty: string) =>
    (await client.events.submit(agent.id, { type, data: { counterparty } })).data
  const task = await stored('task.completed', 'shop')
  expect(task).toEqual({ counterparty: expect.stringMatching(/^[\w-]{22}$/) })
  expect(await stored('payment.completed', 'shop')).toEqual(task)
  expect(await stored('task.completed', 'bank')).not.toEqual(task)
})

describe('an externalId', () => {
  test('that is repeated with the same content returns the first event, and counts once', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at)
    const json = { ...DONE, data: { duration: 5, success: true }, externalId: 'task-1' }
    const url = `${at.url}/v1/agents/${agent.id}/events`
    const first = await send(url, { key: platform.apiKey, json })
    const reordered = { ...json, data: { success: true, duration: 5 } }
    const again = await send(url, { key: platform.apiKey, json: reordered })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(1)
  })

  test('that is repeated with other content about the same agent is a conflict, in any field', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at)
    const event = { ...DONE, externalId: 'task-2' }
    await client.events.submit(agent.id, event)
    const paid = { type: 'payment.completed', externalId: 'bill-2' } as const
    await client.events.submit(agent.id, { ...paid, data: { counterparty: 'shop' } })
    for (const other of [
      { type: 'task.failed', externalId: 'task-2' },
      { ...event, data: { difficulty: 3 } },
      { ...event, data: { taskClass: 'translation' } },
      { ...paid, data: { counterparty: 'another shop' } },
    ] as const) {
      expect(await refusal(client.events.submit(agent.id, other))).toMatchObject({
        status: 409,
        code: 'CONFLICT',
      })
    }
    const again = await client.events.submit(agent.id, { ...paid, data: { counterparty: 'shop' } })
    expect(again.externalId).toBe('bill-2')
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(2)
  })

  test('belongs to one agent: a task that two agents did is two events', async () => {
    const { agent, owner } = await newAgent(at)
    const { agent: other } = await newAgent(at, owner)
    const { client } = await newPlatform(at)
    const event = { ...DONE, externalId: 'shared' }
    const first = await client.events.submit(agent.id, event)
    const second = await client.events.submit(other.id, event)
    expect(second).toMatchObject({ agentId: other.id, isQuarantined: false })
    expect(second.id).not.toBe(first.id)
    expect((await client.events.submit(other.id, event)).id).toBe(second.id)
  })

  test('belongs to one reporter: another reporter can use the same one', async () => {
    const { agent } = await newAgent(at)
    const one = await newPlatform(at)
    const two = await newPlatform(at)
    const event = { ...DONE, externalId: 'task-3' }
    const first = await one.client.events.submit(agent.id, event)
    const second = await two.client.events.submit(agent.id, event)
    expect(second.id).not.toBe(first.id)
  })

  test('that is sent two hundred times at once on two nodes is one event', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at)
    const second = await at.node()
    const json = { ...DONE, externalId: 'raced' }
    const report = async (url: string): Promise<Awaited<ReturnType<typeof send>>> => {
      const answer = await send(`${url}/v1/agents/${agent.id}/events`, {
        key: platform.apiKey,
        json,
      })
      // On a busy machine some wait too long for the row of the agent, and are sent again.
      return answer.status === 503 ? report(url) : answer
    }
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => report(i % 2 ? at.url : second.url)),
    )
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(1)
  })
})

describe('a batch', () => {
  test('is decided event by event: an invalid event does not fail the others', async () => {
    const { agent } = await newAgent(at)
    const { platform } = await newPlatform(at)
    const events = [
      DONE,
      { type: 'nonsense' },
      { ...DONE, data: { success: false } },
      7,
      { type: 'task.failed' },
    ]
    const { status, body } = await send(`${at.url}/v1/agents/${agent.id}/events/batch`, {
      key: platform.apiKey,
      json: { events },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ accepted: 3, rejected: 2 })
    expect(body.errors).toMatchObject([
      { index: 1, code: 'VALIDATION_ERROR' },
      { index: 3, code: 'VALIDATION_ERROR' },
    ])
    expect(body.data.map(({ isQuarantined }: { isQuarantined: boolean }) => isQuarantined)).toEqual(
      [false, true, false],
    )
    expect(await at.anyone.score.get(agent.id)).toMatchObject({
      eventCount: 2,
      evidence: { quarantined: 1 },
    })
  })

  test('of events with a hundred wrong fields gets a response that is no longer than the batch', async () => {
    const { agent } = await newAgent(at)
    const fields = Array.from({ length: 100 }, (_, i) => [`field${i}`, 1])
    const events = Array.from({ length: 100 }, () => Object.fromEntries(fields))
    const url = `${at.url}/v1/events/batch`
    const { body } = await send(url, { key: agent.apiKey, json: { events } })
    expect(body.rejected).toBe(100)
    expect(body.errors[99].details.issues).toHaveLength(10)
    expect(JSON.stringify(body).length).toBeLessThan(JSON.stringify({ events }).length)
  })

  test('without events, or with more than a hundred, is refused', async () => {
    const { agent } = await newAgent(at)
    for (const length of [0, 101]) {
      const json = { events: Array.from({ length }, () => DONE) }
      const { status } = await send(`${at.url}/v1/events/batch`, { key: agent.apiKey, json })
      expect(status).toBe(400)
    }
  })
})

describe('a list of events', () => {
  test('filters by type and time, with pages newest first', async () => {
    const { agent, client } = await newAgent(at)
    const { client: platform } = await newPlatform(at)
    const hour = (n: number) => new Date(Date.now() - n * 3_600_000).toISOString()
    const types = ['task.completed', 'task.failed', 'task.completed', 'task.timeout'] as const
    const { data } = await platform.events.report(
      agent.id,
      types.map((type, i) => ({ type, occurredAt: hour(10 - i), externalId: `e${agent.id}${i}` })),
    )
    const ids = data.map((event) => event?.id).reverse()
    const list = async (query: Parameters<typeof client.events.list>[0]) =>
      (await client.events.list(query)).data.map(({ id }) => id)
    expect(await list({})).toEqual(ids)
    expect(await list({ type: 'task.completed' })).toEqual([ids[1], ids[3]])
    expect(await list({ from: data[1]?.occurredAt ?? '', to: data[2]?.occurredAt ?? '' })).toEqual([
      ids[1],
      ids[2],
    ])
    const first = await client.events.list({ limit: 3 })
    await platform.events.submit(agent.id, DONE)
    const rest = await list({ limit: 3, cursor: first.nextCursor ?? '' })
    expect([...first.data.map(({ id }) => id), ...rest]).toEqual(ids)
    const foreign = { limit: 3, type: 'task.failed' as const, cursor: first.nextCursor ?? '' }
    expect(await refusal(client.events.list(foreign))).toMatchObject({ status: 400 })
  })

  test('shows everything to the agent and its owner, to a platform its own reports, and nothing to others', async () => {
    const { agent, owner, client } = await newAgent(at)
    const one = await newPlatform(at)
    const two = await newPlatform(at)
    await one.client.events.submit(agent.id, DONE)
    await two.client.events.submit(agent.id, DONE)
    const count = async (as: typeof client) => (await as.events.list(agent.id)).data.length
    expect(await count(client)).toBe(2)
    expect(await count(owner.client)).toBe(2)
    expect(await count(one.client)).toBe(1)
    const stranger = await newAgent(at)
    expect(await refusal(stranger.client.events.list(agent.id))).toMatchObject({ status: 403 })
    const other = await newOwner(at)
    expect(await refusal(other.client.events.list(agent.id))).toMatchObject({ status: 403 })
    expect((await send(`${at.url}/v1/agents/${agent.id}/events`)).status).toBe(401)
  })
})

test('each of many simultaneous requests about few agents gets its own response, and none is lost', async () => {
  // All wait for the rows of few: on a busy machine some get 503 and retry.
  const platform = (await newPlatform(at)).client.with({ retriesMax: 5 })
  const owner = (await newOwner(at)).client.with({ retriesMax: 5 })
  const agents = await Promise.all(
    [1, 2, 3].map((n) => owner.agents.register({ displayName: `busy ${n}` })),
  )
  const second = await at.node()
  const other = platform.with({ baseUrl: second.url })
  const results = await Promise.allSettled(
    Array.from({ length: 120 }, (_, i) => {
      const agent = agents[i % 3]?.id ?? ''
      const missing = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
      return (i % 2 ? platform : other).events.submit(i % 10 === 0 ? missing : agent, DONE)
    }),
  )
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(12)
  const counts = await Promise.all(agents.map(({ id }) => at.anyone.score.get(id)))
  expect(counts.reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(108)
  for (const { id } of agents) {
    const seen = new Set<string>()
    for await (const event of owner.events.list(id, { limit: 100 })) {
      seen.add(event.id)
    }
    expect(seen.size).toBe(36)
  }
})

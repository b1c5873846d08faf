import { isApiKey } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { refusal, send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, PASSWORD, startService } from '../support/service.ts'

const at = await startService()

const REORDERS = 'must not have line ends, control characters or characters that reorder text'
const UNSEEN = 'must have a character that can be seen'

describe('register', () => {
  test('the response has the agent and, only this time, its key', async () => {
    const { client, owner } = await newOwner(at)
    const metadata = { zeta: 1, alpha: { deep: [1, 2, { x: null }] } }
    const { apiKey, ...agent } = await client.agents.register({ displayName: ' Bot ', metadata })
    expect(isApiKey(apiKey)).toBe(true)
    expect(agent).toMatchObject({
      ownerId: owner.id,
      displayName: 'Bot',
      status: 'active',
      metadata,
    })
    expect(JSON.stringify(await client.agents.get(agent.id))).toContain(JSON.stringify(metadata))
    expect(await client.agents.get(agent.id)).toEqual(agent)
  })

  test.each([
    ['a line end', 'bot\nallow trusted-agent', REORDERS],
    ['a tab', 'bot\tactive', REORDERS],
    ['a colour code', 'bot\u001b[31m', REORDERS],
    ['a character that turns text around', 'bot\u202etxt.exe', REORDERS],
    ['nothing but zero-width spaces', '\u200b\u200d', UNSEEN],
    ['nothing but a filler of Hangul', '\u3164', UNSEEN],
    ['nothing but blank Braille', '\u2800 \u2800', UNSEEN],
    ['nothing but a soft hyphen', '\u00ad', UNSEEN],
    ['nothing but a variation selector', '\ufe0f', UNSEEN],
  ])(
    'a display name with %s is refused, at registration and later',
    async (_, displayName, reason) => {
      const { owner, agent } = await newAgent(at)
      const { agents } = owner.client
      const wrong = { status: 400, message: `displayName: ${reason}` }
      expect(await refusal(agents.register({ displayName }))).toMatchObject(wrong)
      expect(await refusal(agents.update(agent.id, { displayName }))).toMatchObject(wrong)
    },
  )

  test.each([
    ['می\u200cخواهم', 'Persian'],
    ['क्\u200dष', 'Hindi'],
    ['👩\u200d💻', 'an emoji'],
    ['❤\ufe0f', 'an emoji with its variant'],
    ['שלום\u200e!', 'a mark of direction'],
  ])(
    'a display name keeps the invisible characters that its writing needs: %s (%s)',
    async (displayName) => {
      const { client } = await newOwner(at)
      expect(await client.agents.register({ displayName })).toMatchObject({ displayName })
    },
  )

  test('the eleventh agent of a free owner is refused, and deactivating one makes room', async () => {
    const { client } = await newOwner(at)
    const register = (by = client) => by.agents.register({ displayName: 'one of ten' })
    // They wait for one another, on a busy machine for longer than a lock is waited for: 503, and sent again.
    const patient = client.with({ retriesMax: 10 })
    const results = await Promise.allSettled(Array.from({ length: 14 }, () => register(patient)))
    const taken = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(taken).toHaveLength(10)
    expect(await refusal(register())).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      details: { limit: 'max_agents' },
    })
    await client.agents.deactivate(taken[0]?.id ?? '')
    await register()
  })
})

test.each([
  ['Ada\u202e\nMarket', REORDERS],
  ['\u200b\u2060', UNSEEN],
])(
  'names of platforms, API keys and people are refused like those of agents: %j',
  async (name, message) => {
    const { client } = await newOwner(at)
    const registration = { email: 'line-end@example.com', password: PASSWORD, name }
    const answers = [
      at.operator.operator.createPlatform({ name }),
      client.testData.createPlatform({ name }),
      client.keys.create({ name, scopes: ['read'] }),
      at.anyone.auth.register(registration),
    ].map(refusal)
    for (const refused of await Promise.all(answers)) {
      expect(refused).toMatchObject({ status: 400, message: `name: ${message}` })
    }
  },
)

describe('list', () => {
  test('pages continue where the last one ended, newest first, even when agents are added meanwhile', async () => {
    const { client } = await newOwner(at)
    const ids: string[] = []
    for (const displayName of ['a', 'b', 'c', 'd', 'e']) {
      ids.unshift((await client.agents.register({ displayName })).id)
    }
    const first = await client.agents.list({ limit: 2 })
    await client.agents.register({ displayName: 'later' })
    const second = await client.agents.list({ limit: 2, cursor: first.nextCursor ?? '' })
    const third = await client.agents.list({ limit: 2, cursor: second.nextCursor ?? '' })
    expect([...first.data, ...second.data, ...third.data].map(({ id }) => id)).toEqual(ids)
    expect(third.nextCursor).toBeNull()
  })

  test('a cursor of another list, a broken cursor and a limit out of range are refused', async () => {
    const one = await newOwner(at)
    for (const displayName of ['a', 'b']) {
      await one.client.agents.register({ displayName })
    }
    const { nextCursor } = await one.client.agents.list({ limit: 1 })
    const two = await newOwner(at)
    const ask = (query: string) => send(`${at.url}/v1/agents?${query}`, { key: two.token })
    for (const query of [
      `cursor=${nextCursor}`,
      'cursor=AAAA',
      'limit=0',
      'limit=101',
      'limit=1.5',
    ]) {
      const { status, body } = await ask(query)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

describe('read', () => {
  test('an agent reads all of itself and the public part of another', async () => {
    const one = await newAgent(at)
    const two = await newAgent(at)
    const { apiKey: _key, ...own } = one.agent
    expect(await one.client.agents.me()).toEqual(own)
    expect(await one.client.agents.get(own.id)).toEqual(own)
    expect(Object.keys(await one.client.agents.get(two.agent.id)).sort()).toEqual([
      'createdAt',
      'displayName',
      'id',
      'parentId',
      'status',
    ])
  })

  test('an owner reads only their own agents, and a platform reads none', async () => {
    const { agent } = await newAgent(at)
    const other = await newOwner(at)
    const { client: platform } = await newPlatform(at)
    expect(await refusal(other.client.agents.get(agent.id))).toMatchObject({ status: 403 })
    expect(await refusal(platform.agents.get(agent.id))).toMatchObject({ status: 403 })
    const missing = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
    expect(await refusal(other.client.agents.get(missing))).toMatchObject({ status: 404 })
    expect(await refusal(other.client.agents.get('no-uuid'))).toMatchObject({ status: 400 })
  })
})

describe('change', () => {
  test('new metadata replaces all of the old', async () => {
    const { agent, owner } = await newAgent(at)
    await owner.client.agents.update(agent.id, { metadata: { a: 1, b: 2 } })
    const changed = await owner.client.agents.update(agent.id, { metadata: { c: 3 } })
    expect(changed).toMatchObject({ displayName: agent.displayName, metadata: { c: 3 } })
    const renamed = await owner.client.agents.update(agent.id, { displayName: 'new' })
    expect(renamed).toMatchObject({ displayName: 'new', metadata: { c: 3 } })
  })

  test('a change that changes nothing returns the agent unchanged', async () => {
    const { agent, owner } = await newAgent(at)
    const before = await owner.client.agents.update(agent.id, { metadata: { b: 1, a: [2] } })
    const { displayName, metadata } = before
    for (const patch of [{}, { displayName }, { metadata }, { displayName, metadata }]) {
      expect(await owner.client.agents.update(agent.id, patch)).toEqual(before)
    }
    expect(await owner.client.agents.get(agent.id)).toEqual(before)
  })

  test('metadata over 16 KiB is refused, and nothing is changed', async () => {
    const { agent, owner } = await newAgent(at)
    const metadata = { text: 'x'.repeat(17_000) }
    expect(await refusal(owner.client.agents.update(agent.id, { metadata }))).toMatchObject({
      status: 400,
      details: { issues: [{ path: 'metadata' }] },
    })
    expect(await owner.client.agents.get(agent.id)).toMatchObject({ metadata: agent.metadata })
  })

  test('a deactivated agent can no longer be changed', async () => {
    const { agent, owner } = await newAgent(at)
    await owner.client.agents.deactivate(agent.id)
    const change = owner.client.agents.update(agent.id, { displayName: 'back again' })
    expect(await refusal(change)).toMatchObject({
      status: 403,
      details: { reason: 'agent_deactivated' },
    })
  })

  test('another owner’s agent cannot be changed', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newOwner(at)
    expect(await refusal(client.agents.update(agent.id, { displayName: 'x' }))).toMatchObject({
      status: 403,
    })
    expect(await refusal(client.agents.deactivate(agent.id))).toMatchObject({ status: 403 })
  })
})

describe('deactivate', () => {
  test('deactivation is final: the key stops, events are refused, and the score stays readable', async () => {
    const { agent, owner, client } = await newAgent(at)
    const { client: platform } = await newPlatform(at)
    await platform.events.submit(agent.id, { type: 'task.completed' })
    expect(await owner.client.agents.deactivate(agent.id)).toMatchObject({
      status: 'deactivated',
    })
    expect(await owner.client.agents.deactivate(agent.id)).toMatchObject({
      status: 'deactivated',
    })
    expect(await refusal(client.agents.me())).toMatchObject({ status: 401 })
    const event = { type: 'task.completed' as const }
    expect(await refusal(platform.events.submit(agent.id, event))).toMatchObject({
      status: 403,
      details: { reason: 'agent_deactivated' },
    })
    expect(await at.anyone.score.get(agent.id)).toMatchObject({
      status: 'deactivated',
      eventCount: 1,
    })
    const suspend = { status: 'active' as const, reason: 'back again' }
    expect(await refusal(at.operator.operator.setAgentStatus(agent.id, suspend))).toMatchObject({
      status: 403,
    })
  })

  test.each(['kept', 'given up'])(
    'the next agent of an owner starts no higher than a bad one that is %s',
    async (fate) => {
      const { agent, owner } = await newAgent(at)
      const { client: platform } = await newPlatform(at)
      await platform.events.report(
        agent.id,
        Array.from({ length: 30 }, () => ({ type: 'task.failed' as const })),
      )
      const { score } = await at.anyone.score.get(agent.id)
      expect(score).toBeLessThan(100)
      if (fate === 'given up') {
        await owner.client.agents.deactivate(agent.id)
      }
      const next = await owner.client.agents.register({ displayName: 'fresh face' })
      expect((await at.anyone.score.get(next.id)).score).toBeLessThanOrEqual(score)
    },
  )
})

test('a rotated key works beside the previous one until the overlap ends', async () => {
  const { agent, owner, client } = await newAgent(at)
  const rotated = await owner.client.agents.rotateKey(agent.id)
  const next = at.anyone.with({ apiKey: rotated.apiKey })
  expect((await next.agents.me()).id).toBe(agent.id)
  expect((await client.agents.me()).id).toBe(agent.id)
  const last = await owner.client.agents.rotateKey(agent.id, { overlapSeconds: 0 })
  expect(await refusal(client.agents.me())).toMatchObject({ status: 401 })
  expect(await refusal(next.agents.me())).toMatchObject({ status: 401 })
  expect((await at.anyone.with({ apiKey: last.apiKey }).agents.me()).id).toBe(agent.id)
})

test('a suspended agent cannot report, while platforms can still report about it', async () => {
  const { agent, client } = await newAgent(at)
  const { client: platform } = await newPlatform(at)
  const { operator } = at.operator
  await operator.setAgentStatus(agent.id, { status: 'suspended', reason: 'under review' })
  expect(await refusal(client.events.submit(agent.id, { type: 'task.completed' }))).toMatchObject({
    status: 403,
    details: { reason: 'agent_suspended' },
  })
  await platform.events.submit(agent.id, { type: 'task.failed' })
  expect(await at.anyone.score.get(agent.id)).toMatchObject({ status: 'suspended', eventCount: 1 })
  await operator.setAgentStatus(agent.id, { status: 'active', reason: 'cleared' })
  await client.events.submit(agent.id, { type: 'task.completed' })
})

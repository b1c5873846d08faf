import { EventBuffer, Standing, StandingError } from '@standing/sdk'
import { expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const clock = createTestClock('2026-06-15T11:00:00.000Z')
const at = await startService({}, { now: clock.now })
const [second, third] = await Promise.all([at.node(), at.node()])
const nodes = [at.url, second.url, third.url]

const TASK = { type: 'task.completed', data: { success: true } } as const
const HOUR_MS = 3_600_000

async function settle<T>(calls: readonly Promise<T>[]) {
  const results = await Promise.allSettled(calls)
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  for (const error of errors) {
    expect(error).toBeInstanceOf(StandingError)
  }
  return { done: results.length - errors.length, errors: errors as StandingError[] }
}

function onEachNode(apiKey: string): readonly Standing[] {
  return nodes.map((baseUrl) => new Standing({ baseUrl, apiKey, retriesMax: 0 }))
}

async function reportAtOnce(clients: readonly Standing[], count: number, agentId: string) {
  const report = (i: number) =>
    clients[i % clients.length]?.events.submit(agentId, TASK) ?? Promise.reject()
  return settle(Array.from({ length: count }, (_, i) => report(i)))
}

test('of 150 events at once about one agent on one node exactly 100 are accepted', async () => {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const [here] = onEachNode(platform.apiKey)
  const { done, errors } = await reportAtOnce(here ? [here] : [], 150, agent.id)
  expect(done).toBe(100)
  expect(errors).toHaveLength(50)
  expect(errors[0]).toMatchObject({
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    details: { limit: 'events_per_agent_hour', max: 100 },
    message: expect.stringContaining('STANDING_EVENTS_PER_AGENT_HOUR'),
    retryAfterMs: HOUR_MS,
  })
})

test('of 150 events at once about one agent over three nodes exactly 100 are accepted and stored', async () => {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const { done } = await reportAtOnce(onEachNode(platform.apiKey), 150, agent.id)
  expect(done).toBe(100)
  const { evidence } = await at.operator.score.get(agent.id)
  expect(evidence.platformReported + evidence.quarantined).toBe(100)
})

test('reports of one party do not use up the hourly limit of another: platform, other platform, own side', async () => {
  const { agent, client } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const { done } = await reportAtOnce(onEachNode(platform.apiKey), 150, agent.id)
  expect(done).toBe(100)
  const other = await newPlatform(at)
  expect((await reportAtOnce(onEachNode(other.platform.apiKey), 150, agent.id)).done).toBe(100)
  for (const batch of [60, 40]) {
    expect(
      (
        await client.events.report(
          agent.id,
          Array.from({ length: batch }, () => TASK),
        )
      ).accepted,
    ).toBe(batch)
  }
  await expect(client.events.submit(agent.id, TASK)).rejects.toMatchObject({
    status: 429,
    details: { limit: 'events_per_agent_hour', max: 100 },
  })
})

test('a repeated event does not count against the hourly limit', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const named = { ...TASK, externalId: 'reported-twice' }
  const first = await client.events.submit(agent.id, named)
  const again = Array.from({ length: 50 }, () => named)
  expect(await client.events.report(agent.id, again)).toMatchObject({ accepted: 50 })
  const others = Array.from({ length: 100 }, () => TASK)
  expect(await client.events.report(agent.id, others)).toMatchObject({ accepted: 99 })
  expect(await client.events.submit(agent.id, named)).toEqual(first)
})

test('an agent’s hourly limit resets an hour after its first event', async () => {
  const { agent } = await newAgent(at)
  const { platform, client } = await newPlatform(at)
  await reportAtOnce(onEachNode(platform.apiKey), 100, agent.id)
  clock.move(HOUR_MS - 1)
  // The hour is over in a moment; but no caller is asked to retry before its minute is over.
  await expect(client.events.submit(agent.id, TASK)).rejects.toMatchObject({
    details: { limit: 'events_per_agent_hour' },
    retryAfterMs: 60_000,
  })
  clock.move(1)
  expect(await client.events.submit(agent.id, TASK)).toMatchObject({ agentId: agent.id })
})

test('an event buffer reports what the hourly limit refused in the next hours, once and in order', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const names = Array.from({ length: 250 }, (_, n) => String(n))
  const buffer = new EventBuffer(client, {
    onRejected: () => expect.unreachable(),
    wait: async (ms) => clock.move(ms),
    closeTimeoutMs: Number.POSITIVE_INFINITY,
    exitSignals: [],
  })
  for (const externalId of names) {
    await buffer.add(agent.id, { ...TASK, externalId })
  }
  expect(await buffer.close()).toEqual({ accepted: 250, rejected: 0 })
  const stored: unknown[] = []
  for await (const { externalId } of client.events.list(agent.id)) {
    stored.unshift(externalId)
  }
  expect(stored).toEqual(names)
})

test('of 1,300 events of one platform over three nodes exactly 1,000 are accepted', async () => {
  const owner = await newOwner(at)
  await at.operator.operator.setOwnerTier(owner.owner.id, 'growth')
  const agents: Awaited<ReturnType<typeof newAgent>>[] = []
  // One after the other: each waits for the lock of the owner, and for at most two seconds.
  while (agents.length < 26) {
    agents.push(await newAgent(at, owner))
  }
  const { platform } = await newPlatform(at)
  const clients = onEachNode(platform.apiKey)
  const events = Array.from({ length: 50 }, () => TASK)
  const reports = await Promise.all(
    agents.map(({ agent }, i) => clients[i % 3]?.events.report(agent.id, events)),
  )
  expect(reports.reduce((sum, report) => sum + (report?.accepted ?? 0), 0)).toBe(1_000)
  expect(reports.reduce((sum, report) => sum + (report?.rejected ?? 0), 0)).toBe(300)
  const limits = reports.flatMap((report) => report?.errors ?? [])
  expect(JSON.stringify(limits[0])).toContain('events_per_platform_hour')
  expect(limits[0]?.details).toMatchObject({ retryAfterSeconds: expect.any(Number) })
  // What a platform may not report any more, another one still may.
  const { client } = await newPlatform(at)
  const [first] = agents
  expect(await client.events.submit(first?.agent.id ?? '', TASK)).toMatchObject({ weight: 1 })
})

test('of 16 agents registered at once on three nodes exactly 10 fit the Free tier', async () => {
  const { owner, token } = await newOwner(at)
  const clients = nodes.map((baseUrl) => new Standing({ baseUrl, token, retriesMax: 0 }))
  const register = (i: number) =>
    clients[i % 3]?.agents.register({ displayName: `agent ${i}` }) ?? Promise.reject()
  const { done, errors } = await settle(Array.from({ length: 16 }, (_, i) => register(i)))
  expect(done).toBe(10)
  expect(errors[0]).toMatchObject({
    status: 403,
    code: 'FORBIDDEN',
    details: { limit: 'max_agents', max: 10 },
  })
  const [client] = clients
  const { data } = await (client as Standing).agents.list()
  expect(data).toHaveLength(10)
  // One that was given up makes room for another; a larger tier for ninety more.
  await client?.agents.deactivate(data[0]?.id ?? '')
  await client?.agents.register({ displayName: 'next' })
  await expect(client?.agents.register({ displayName: 'too many' })).rejects.toMatchObject({
    details: { limit: 'max_agents' },
  })
  await at.operator.operator.setOwnerTier(owner.id, 'growth')
  await client?.agents.register({ displayName: 'with room' })
})

test('STANDING_RATE_LIMITS=off disables the hourly limits, and the maximum of agents still applies', async () => {
  const free = await at.node({ STANDING_RATE_LIMITS: 'off' })
  const { agent, owner } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const client = new Standing({ baseUrl: free.url, apiKey: platform.apiKey, retriesMax: 0 })
  const events = Array.from({ length: 100 }, () => TASK)
  expect(await client.events.report(agent.id, events)).toMatchObject({ accepted: 100 })
  expect(await client.events.report(agent.id, events)).toMatchObject({ accepted: 100 })
  const { token } = owner
  const ownerClient = new Standing({ baseUrl: free.url, token, retriesMax: 0 })
  for (let i = 0; i < 9; i++) {
    await ownerClient.agents.register({ displayName: 'agent' })
  }
  await expect(ownerClient.agents.register({ displayName: 'agent' })).rejects.toMatchObject({
    status: 403,
  })
})

test('an account sees its limits as the installation applies them', async () => {
  const { token, owner } = await newOwner(at)
  const tier = { requestsPerMinute: 100, lookupsPerMonth: 1_000, agents: 10 }
  const limitsAt = async (baseUrl: string) =>
    (await new Standing({ baseUrl, token, retriesMax: 0 }).auth.me()).limits
  expect(await limitsAt(at.url)).toEqual({ ...tier, eventsPerAgentHour: 100 })

  const capped = await at.node({ STANDING_EVENTS_PER_AGENT_HOUR: '250' })
  expect(await limitsAt(capped.url)).toEqual({ ...tier, eventsPerAgentHour: 250 })

  const free = await at.node({ STANDING_RATE_LIMITS: 'off' })
  expect(await limitsAt(free.url)).toEqual({
    requestsPerMinute: null,
    lookupsPerMonth: null,
    agents: 10,
    eventsPerAgentHour: null,
  })
  await at.operator.operator.setOwnerTier(owner.id, 'platform')
  expect(await limitsAt(at.url)).toEqual({
    requestsPerMinute: 10_000,
    lookupsPerMonth: null,
    agents: null,
    eventsPerAgentHour: 100,
  })
})

test('a batch that a mapping turns into reports says how long to wait for those over the hourly limit', async () => {
  const { agent } = await newAgent(at)
  const { platform, client } = await newPlatform(at)
  await client.mappings.put('orders', {
    rules: [
      {
        agent: [{ path: '/subject' }],
        type: { constant: 'task.completed' },
        externalId: ['/id'],
      },
    ],
    sample: { subject: agent.id, id: 'sample' },
  })
  await client.events.report(
    agent.id,
    Array.from({ length: 99 }, () => TASK),
  )
  const events = ['1', '2'].map((id) => {
    return { specversion: '1.0', source: '/orders', type: 'order.done', id, subject: agent.id }
  })
  const response = await fetch(`${at.url}/v1/mappings/orders/events`, {
    method: 'POST',
    headers: {
      'x-api-key': platform.apiKey,
      'content-type': 'application/cloudevents-batch+json',
    },
    body: JSON.stringify(events),
  })
  expect(await response.json()).toMatchObject({
    accepted: 1,
    ignored: 0,
    rejected: 1,
    errors: [{ index: 1, code: 'RATE_LIMIT_EXCEEDED', details: { retryAfterSeconds: 3_600 } }],
  })
})

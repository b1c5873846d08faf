import { Standing, StandingError } from '@standing/sdk'
import { expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { newAgent, newOwner, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const clock = createTestClock('2026-06-15T11:00:00.000Z')
const settings = { STANDING_TRUST_PROXY: '127.0.0.0/8' }
const at = await startService(settings, { now: clock.now })
const [second, third] = await Promise.all([at.node(), at.node()])
const nodes = [at.url, second.url, third.url]

const agentIds = await fiftyAgents()

async function fiftyAgents(): Promise<readonly string[]> {
  const { owner, client } = await newOwner(at)
  await at.operator.operator.setOwnerTier(owner.id, 'platform')
  const ids: string[] = []
  // One after the other: each waits for the lock of the owner, and for at most two seconds.
  while (ids.length < 50) {
    ids.push((await client.agents.register({ displayName: 'a' })).id)
  }
  return ids
}

let addresses = 0
const newAddress = () => `203.0.113.${++addresses}`

function score(from: string, base = at.url, headers: Readonly<Record<string, string>> = {}) {
  const url = `${base}/v1/agents/${agentIds[0]}/score`
  return fetch(url, { headers: { 'x-forwarded-for': from, ...headers } })
}

function batch(from: string, ids: readonly string[], base = at.url) {
  return fetch(`${base}/v1/scores/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ agentIds: ids }),
  })
}

/** Uses up so much of an address's month: 1,000 lookups are 20 times fifty agents. */
async function use(from: string, fifties: number, base?: string): Promise<void> {
  for (let i = 0; i < fifties; i++) {
    expect((await batch(from, agentIds, base)).status).toBe(200)
  }
}

/** How many lookups the month has left, found out by taking them. */
async function left(from: string, base = at.url): Promise<number> {
  for (let count = 0; ; count++) {
    if (count % 90 === 0) {
      clock.move(60_000)
    }
    if ((await score(from, base)).status === 429) {
      return count
    }
  }
}

test('a score and its history cost one lookup, a batch one for each agent found, and the tiers nothing', async () => {
  const from = newAddress()
  await use(from, 19)
  const headers = { 'x-forwarded-for': from }
  const id = agentIds[0]
  const etag = (await score(from)).headers.get('etag') ?? ''
  expect((await score(from, at.url, { 'if-none-match': etag })).status).toBe(304)
  await fetch(`${at.url}/v1/scores/${id}`, { headers })
  await fetch(`${at.url}/v1/agents/${id}/score/history`, { headers })
  await fetch(`${at.url}/v1/scores/${id}`, { method: 'HEAD', headers })
  await fetch(`${at.url}/v1/scores/classifications`, { headers })
  const nobody = '0197a3c0-0000-7000-8000-000000000000'
  expect((await fetch(`${at.url}/v1/scores/${nobody}`, { headers })).status).toBe(404)
  await batch(from, [String(id), String(id), nobody, String(agentIds[1])])
  // 950 in batches, then 5 singly, then the 2 that were found.
  expect(await left(from)).toBe(1_000 - 950 - 5 - 2)
})

test('with one lookup left, one of 60 simultaneous requests on three nodes is granted', async () => {
  const from = newAddress()
  await use(from, 19, second.url)
  await batch(from, agentIds.slice(0, 49), third.url)
  clock.move(60_000)
  const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => score(from, nodes[i % 3])))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(59)
})

test('requests are refused after the month’s lookups are used, until the first of the next, UTC', async () => {
  clock.moveTo('2026-07-30T23:00:00.000Z')
  const from = newAddress()
  await use(from, 20)
  const refused = await score(from, second.url)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe(String(25 * 3_600))
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'RATE_LIMIT_EXCEEDED',
      message:
        'this takes 1 of the month’s 1000 lookups, and none is left; the next month begins at ' +
        '2026-08-01T00:00:00.000Z, and a larger tier has more: ask the operator',
      details: { limit: 'lookups_per_month', max: 1_000, remaining: 0 },
    },
  })
  clock.moveTo('2026-07-31T23:59:59.999Z')
  expect((await score(from)).status).toBe(429)
  clock.moveTo('2026-08-01T00:00:00.000Z')
  expect((await score(from)).status).toBe(200)
})

test('what shows the score of a public profile costs a lookup, its picture for links too', async () => {
  const { agent, owner } = await newAgent(at)
  await owner.client.agents.update(agent.id, { publicProfile: true })
  const from = newAddress()
  await use(from, 19)
  const headers = { 'x-forwarded-for': from }
  const paths = [
    `/agents/${agent.id}`,
    `/agents/${agent.id}/card.png`,
    `/v1/agents/${agent.id}/profile`,
    `/v1/agents/${agent.id}/badge.svg`,
  ]
  const statuses = () =>
    Promise.all(paths.map(async (path) => (await fetch(at.url + path, { headers })).status))
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect(await left(from)).toBe(1_000 - 950 - paths.length)
  clock.move(60_000)
  expect(await statuses()).toEqual([429, 429, 429, 429])
})

test('a batch with more agents than lookups left is refused completely', async () => {
  const from = newAddress()
  await use(from, 19)
  await batch(from, agentIds.slice(0, 30))
  const refused = await batch(from, agentIds.slice(0, 21))
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({
    error: {
      message: expect.stringContaining(
        'this takes 21 of the month’s 1000 lookups, and 20 are left',
      ),
      details: { remaining: 20 },
    },
  })
  expect((await batch(from, agentIds.slice(0, 20))).status).toBe(200)
})

test('the month continues after a restart of every node', async () => {
  const from = newAddress()
  const node = await at.node()
  await use(from, 18, node.url)
  for (let i = 0; i < 37; i++) {
    await score(from, node.url)
  }
  await node.close()
  const next = await at.node()
  expect(await left(from, next.url)).toBe(1_000 - 900 - 37)
})

test('an owner and the owner’s agents share a month, and a larger tier applies at once', async () => {
  const { owner, agent, client } = await newAgent(at)
  const ids = agentIds.slice()
  for (let i = 0; i < 10; i++) {
    await owner.client.score.getBatch(ids)
    await client.score.getBatch(ids)
  }
  const refusal = await client.score.get(agent.id).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StandingError)
  expect(refusal).toMatchObject({ status: 429, details: { limit: 'lookups_per_month' } })
  await at.operator.operator.setOwnerTier(owner.owner.id, 'growth')
  expect(await client.score.get(agent.id)).toMatchObject({ agentId: agent.id })
})

test('the Platform tier and the operator have unlimited lookups', async () => {
  const { client } = await newPlatform(at)
  const operator = new Standing({ baseUrl: at.url, operatorKey: OPERATOR_KEY, retriesMax: 0 })
  for (let i = 0; i < 21; i++) {
    expect((await client.score.getBatch(agentIds)).size).toBe(50)
    expect((await operator.score.getBatch(agentIds)).size).toBe(50)
  }
})

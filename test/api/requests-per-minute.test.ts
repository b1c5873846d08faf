import { describe, expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { newAgent, newOwner, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const clock = createTestClock('2026-06-15T11:00:00.000Z')
// Callers of different addresses, as a proxy names them.
const settings = { STANDING_TRUST_PROXY: '127.0.0.0/8' }
const at = await startService(settings, { now: clock.now })
const [second, third] = await Promise.all([at.node(), at.node()])
const nodes = [at.url, second.url, third.url]

let addresses = 0
const newAddress = () => `203.0.113.${++addresses}`

type Headers = Readonly<Record<string, string>>

function get(path: string, headers: Headers = {}, base = at.url) {
  return fetch(base + path, { headers })
}

const TIERS = '/v1/scores/classifications'

async function statuses(count: number, ask: (i: number) => Promise<Response>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => ask(i)))
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  const of = (status: number) => answers.filter((answer) => answer.status === status).length
  return { ok: of(200), limited: of(429), answers }
}

test('of 150 requests at once from one address exactly 100 are served', async () => {
  const from = { 'x-forwarded-for': newAddress() }
  const { ok, limited } = await statuses(150, () => get(TIERS, from))
  expect({ ok, limited }).toEqual({ ok: 100, limited: 50 })
})

test('of 150 requests at once over three nodes exactly 100 are served', async () => {
  const from = { 'x-forwarded-for': newAddress() }
  const { ok, limited } = await statuses(150, (i) => get(TIERS, from, nodes[i % 3]))
  expect({ ok, limited }).toEqual({ ok: 100, limited: 50 })
})

test('sequential requests, to each node in turn, are served up to the full quota', async () => {
  const from = { 'x-forwarded-for': newAddress() }
  const seen: number[] = []
  for (let i = 0; i < 102; i++) {
    seen.push((await get(TIERS, from, nodes[Math.floor(i / 34)])).status)
  }
  expect(seen.indexOf(429)).toBe(100)
})

test('a refusal names the limit and the way to more, and a client that waits as long as it says is served again', async () => {
  const from = { 'x-forwarded-for': newAddress() }
  await statuses(100, () => get(TIERS, from))
  clock.move(18_500)
  const refused = await get(TIERS, from)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('42')
  expect(refused.headers.get('ratelimit')).toBe('"rpm";r=0;t=42')
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'RATE_LIMIT_EXCEEDED',
      message: expect.stringContaining('or send a key'),
      details: { limit: 'requests_per_minute', max: 100 },
    },
  })
  clock.move(41_499)
  expect((await get(TIERS, from)).status).toBe(429)
  clock.move(1)
  const served = await get(TIERS, from)
  expect(served.status).toBe(200)
  expect(served.headers.get('ratelimit')).toBe('"rpm";r=99;t=60')
})

test('every response says how much is left, whatever its status', async () => {
  const from = { 'x-forwarded-for': newAddress() }
  const { agent } = await newAgent(at)
  const path = `/v1/agents/${agent.id}/score`
  const first = await get(path, from)
  const etag = first.headers.get('etag') ?? ''
  const answers = [
    first,
    await get(path, { ...from, 'if-none-match': etag }),
    await fetch(at.url + path, { method: 'HEAD', headers: from }),
    await get('/v1/agents/not-an-id/score', from),
    await get('/v1/agents', from),
    await get('/v1/nowhere', from),
    await get('/nowhere', from),
    await fetch(`${at.url}/v1/auth/login`, { method: 'PUT', headers: from }),
    await fetch(`${at.url}/v1/auth/login`, { method: 'POST', headers: from, body: '{' }),
    await get('/v1/agents', { ...from, 'x-api-key': 'avs_wrong' }),
    await get(TIERS, { ...from, authorization: 'Basic abc' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([
    200, 304, 200, 400, 401, 404, 404, 405, 415, 401, 401,
  ])
  const left = answers.map(({ headers }) => headers.get('ratelimit'))
  expect(left).toEqual(answers.map((_, i) => `"rpm";r=${99 - i};t=60`))
  for (const { headers } of answers) {
    expect(headers.get('ratelimit-policy')).toBe('"rpm";q=100;w=60')
  }
})

test('an address that guesses keys is refused after a hundred, and a valid key from it still works', async () => {
  const from = { 'x-forwarded-for': newAddress() }
  const { answers, limited } = await statuses(120, (i) =>
    get('/v1/agents/me', { ...from, 'x-api-key': `avs_${i}` }, nodes[i % 3]),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(100)
  expect(limited).toBe(20)
  // A good key from the same address has an account of its own.
  const { agent } = await newAgent(at)
  const own = await get('/v1/agents/me', { ...from, 'x-api-key': agent.apiKey })
  expect(own.status).toBe(200)
})

test('all addresses of one /64 are one caller', async () => {
  const first = await get(TIERS, { 'x-forwarded-for': '2001:db8:7:8::1' })
  const next = await get(TIERS, { 'x-forwarded-for': '2001:db8:7:8:ffff::2' })
  const other = await get(TIERS, { 'x-forwarded-for': '2001:db8:7:9::1' })
  const left = [first, next, other].map(({ headers }) => headers.get('ratelimit'))
  expect(left).toEqual(['"rpm";r=99;t=60', '"rpm";r=98;t=60', '"rpm";r=99;t=60'])
})

test('an address that a proxy names with its port is the caller, whatever the port', async () => {
  const left = async (forwarded: string) => {
    const { headers } = await get(TIERS, { 'x-forwarded-for': forwarded })
    return headers.get('ratelimit')
  }
  const address = newAddress()
  expect(await left(address)).toBe('"rpm";r=99;t=60')
  expect(await left(`${address}:50122`)).toBe('"rpm";r=98;t=60')
  expect(await left(`${newAddress()}:50122`)).toBe('"rpm";r=99;t=60')
  expect(await left('[2001:db8:7:10::1]:50122')).toBe('"rpm";r=99;t=60')
  expect(await left('[2001:db8:7:10::2]')).toBe('"rpm";r=98;t=60')
})

describe('the owner’s agents', () => {
  test('share one quota in the owner’s tier, separate from the owner’s own', async () => {
    const owner = await newOwner(at)
    const { agent: one } = await newAgent(at, owner)
    const { agent: two } = await newAgent(at, owner)
    const keys = [one, two].map(({ apiKey }) => ({ 'x-api-key': apiKey }))
    const { ok, limited } = await statuses(130, (i) => get(TIERS, keys[i % 2], nodes[i % 3]))
    expect({ ok, limited }).toEqual({ ok: 100, limited: 30 })
    expect(await (await get(TIERS, keys[0])).json()).toMatchObject({
      error: { message: expect.stringContaining('ask the operator for a larger tier') },
    })
    const own = await get('/v1/agents', { authorization: `Bearer ${owner.token}` })
    expect(own.status).toBe(200)
  })

  test('are served while the owner’s own quota is used up', async () => {
    const owner = await newOwner(at)
    const { agent } = await newAgent(at, owner)
    const bearer = { authorization: `Bearer ${owner.token}` }
    await statuses(110, (i) => get(TIERS, bearer, nodes[i % 3]))
    expect((await get(TIERS, bearer)).status).toBe(429)
    expect((await get(TIERS, { 'x-api-key': agent.apiKey })).status).toBe(200)
  })
})

test('deactivation, rotation, revocation and the lists of what can be ended are never refused by the quota', async () => {
  const owner = await newOwner(at)
  const { agent } = await newAgent(at, owner)
  const credential = await owner.client.credentials.issue({
    agentId: agent.id,
    type: 'KycVerified',
    claims: {},
  })
  const headers = { authorization: `Bearer ${owner.token}` }
  await statuses(110, (i) => get(TIERS, headers, nodes[i % 3]))
  const send = (method: string, path: string) => fetch(at.url + path, { method, headers })
  const answers = [
    await send('PATCH', `/v1/agents/${agent.id}`),
    await send('GET', '/v1/keys'),
    await send('GET', '/v1/auth/sessions'),
    await send('GET', '/v1/members'),
    await send('GET', '/v1/invitations'),
    await send('DELETE', `/v1/members/${crypto.randomUUID()}`),
    await send('DELETE', `/v1/invitations/${crypto.randomUUID()}`),
    await send('POST', `/v1/agents/${agent.id}/rotate-key`),
    await send('DELETE', `/v1/credentials/${credential.id}`),
    await send('DELETE', `/v1/agents/${agent.id}`),
    await send('POST', '/v1/auth/logout'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([
    429, 200, 200, 200, 200, 404, 404, 201, 200, 200, 204,
  ])
  expect(answers.map((answer) => answer.headers.get('ratelimit'))).toEqual(
    answers.map(() => '"rpm";r=0;t=60'),
  )
})

test('a platform has its own tier, and the operator has no limit', async () => {
  const { platform } = await newPlatform(at)
  const mine = await get(TIERS, { 'x-api-key': platform.apiKey })
  expect(mine.headers.get('ratelimit-policy')).toBe('"rpm";q=10000;w=60')
  const { platform: small } = await newPlatform(at, { tier: 'free' })
  const its = await get(TIERS, { 'x-api-key': small.apiKey })
  expect(its.headers.get('ratelimit')).toBe('"rpm";r=99;t=60')
  const operator = await get(TIERS, { 'x-api-key': OPERATOR_KEY })
  expect(operator.headers.get('ratelimit')).toBe('"rpm";r=10000;t=60')
  expect(operator.headers.get('ratelimit-policy')).toBe('"rpm";q=10000;w=60')
})

test('a Growth platform that sends 1,200 requests to three nodes in a minute is served 1,000 times', async () => {
  const { platform } = await newPlatform(at, { tier: 'growth' })
  const key = { 'x-api-key': platform.apiKey }
  let served = 0
  for (let i = 0; i < 12; i++) {
    served += (await statuses(100, (j) => get(TIERS, key, nodes[j % 3]))).ok
  }
  expect(served).toBe(1_000)
})

test('STANDING_RATE_LIMITS=off disables the limits and their headers', async () => {
  const free = await at.node({ STANDING_RATE_LIMITS: 'off' })
  const from = { 'x-forwarded-for': newAddress() }
  const { ok, answers } = await statuses(150, () => get(TIERS, from, free.url))
  expect(ok).toBe(150)
  expect(answers[0]?.headers.get('ratelimit')).toBeNull()
  expect(answers[0]?.headers.get('ratelimit-policy')).toBeNull()
})

test('pages count for the address, with any credential', async () => {
  const from = { 'x-forwarded-for': newAddress() }
  const paths = ['/docs', '/docs/errors', '/openapi.json', '/setup', '/docs/', '/nothing']
  for (const [i, path] of paths.entries()) {
    const credential = i % 2 ? { 'x-api-key': OPERATOR_KEY } : {}
    const own = path === '/nothing' ? from : { ...from, ...credential }
    const { headers } = await fetch(at.url + path, { headers: own, redirect: 'manual' })
    expect([path, headers.get('ratelimit')]).toEqual([path, `"rpm";r=${99 - i};t=60`])
    expect(headers.get('ratelimit-policy')).toBe('"rpm";q=100;w=60')
  }
  await statuses(100, () => get(TIERS, from))
  const refused = await get('/docs', { ...from, accept: 'text/html' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
})

test('health, metrics, preflights and the icon are not counted, and show the remaining quota', async () => {
  const from = { 'x-forwarded-for': newAddress() }
  const ask = async () => [
    await get('/healthz', from),
    await get('/readyz', from),
    await get('/metrics', from),
    await get('/favicon.ico', from),
    await fetch(at.url + TIERS, { method: 'OPTIONS', headers: from }),
    await fetch(`${at.url}/docs`, { method: 'OPTIONS', headers: from }),
  ]
  for (const { headers } of await ask()) {
    expect(headers.get('ratelimit')).toBe('"rpm";r=100;t=60')
    expect(headers.get('ratelimit-policy')).toBe('"rpm";q=100;w=60')
  }
  await statuses(150, () => get(TIERS, from))
  for (const { status, headers } of await ask()) {
    expect([status < 300, headers.get('ratelimit')]).toEqual([true, '"rpm";r=0;t=60'])
  }
})

test('in a burst every refused request shows that nothing is left', async () => {
  const from = { 'x-forwarded-for': newAddress() }
  const { answers, limited } = await statuses(150, () => get(TIERS, from))
  expect(limited).toBe(50)
  const refused = answers.filter(({ status }) => status === 429)
  expect(new Set(refused.map(({ headers }) => headers.get('ratelimit')))).toEqual(
    new Set(['"rpm";r=0;t=60']),
  )
})

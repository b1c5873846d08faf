import { Standing } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startHost } from '../support/host.ts'
import { refusal, send } from '../support/http.ts'
import { CHALLENGE_PATH, newClaim, newEd25519, signedBy } from '../support/identifiers.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService()
const other = await at.node()
const onOther = new Standing({ baseUrl: other.url, retriesMax: 0 })
const { client: platform } = await newPlatform(at)

async function verifiedKey() {
  const { privateKey, jwk } = await newEd25519()
  const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
  const claim = await newClaim(at, 'did', value)
  const prove = async () => claim.verify(await signedBy(privateKey, claim.challenge))
  return { ...claim, value, prove }
}

describe('a lookup by a name', () => {
  test('returns the same agent and score as a lookup by id', async () => {
    const { agent, value, prove } = await verifiedKey()
    await prove()
    await platform.events.submit(agent.id, { type: 'task.completed', data: { success: true } })
    expect(await at.anyone.lookup.get(value)).toEqual({
      identifier: value,
      match: 'verified',
      agent: {
        id: agent.id,
        displayName: 'agent',
        status: 'active',
        parentId: null,
        createdAt: expect.any(String),
      },
      score: await at.anyone.score.get(agent.id),
    })
  })

  test('without a claim returns unknown, which is a valid result', async () => {
    const unknown = { match: 'unknown', agent: null, score: null }
    for (const identifier of ['did:web:nobody.example.com', '🤖', 'x'.repeat(500)]) {
      expect(await at.anyone.lookup.get(identifier)).toEqual({ identifier, ...unknown })
    }
  })

  test('with claims but no proof returns no agent, however many agents claim it', async () => {
    const identifier = 'claimed.example.com'
    await newClaim(at, 'domain', identifier)
    await newClaim(at, 'domain', identifier)
    expect(await at.anyone.lookup.get(identifier)).toEqual({
      identifier,
      match: 'claimed',
      agent: null,
      score: null,
    })
  })

  test('finds the agent in every usual spelling, and returns the requested spelling', async () => {
    const host = await startHost()
    const { agent, challenge, verify } = await newClaim(at, 'domain', host.host)
    host.put(CHALLENGE_PATH, challenge)
    await verify()
    const identifier = `LOCALHOST.:${host.port}`
    const found = await at.anyone.lookup.get(identifier)
    expect(found).toMatchObject({ identifier, match: 'verified', agent: { id: agent.id } })
  })

  test.each(['', '?identifier=', `?identifier=${'x'.repeat(501)}`, '?identifier=a&identifier=b'])(
    'without exactly one name is refused: %s',
    async (query) => {
      const { status, body } = await send(`${at.url}/v1/lookup${query}`)
      expect(status).toBe(400)
      expect(body.error.details.issues[0].path).toBe('query.identifier')
    },
  )
})

test('a hundred names are answered in the order of the request, each once', async () => {
  const one = await verifiedKey()
  const two = await verifiedKey()
  await one.prove()
  await two.prove()
  const strange = Array.from({ length: 97 }, (_, i) => `unknown-${i}.example.com`)
  const identifiers = [two.value, ...strange, one.value, two.value, 'claimed.example.com']
  const { status, body } = await send(`${at.url}/v1/lookup`, {
    json: { identifiers: identifiers.slice(0, 100) },
  })
  expect(status).toBe(200)
  const data = body.data as { identifier: string; match: string; agent: { id: string } | null }[]
  expect(data.map(({ identifier }) => identifier)).toEqual([...new Set(identifiers.slice(0, 100))])
  expect(data[0]).toMatchObject({ match: 'verified', agent: { id: two.agent.id } })
  expect(data.at(-1)).toMatchObject({ match: 'verified', agent: { id: one.agent.id } })
  expect(data.filter(({ match }) => match === 'unknown')).toHaveLength(97)
  const found = await at.anyone.lookup.getBatch([...identifiers, ...strange])
  expect(found.get(one.value)?.score?.agentId).toBe(one.agent.id)
  for (const wrong of [[], Array.from({ length: 101 }, (_, i) => `n${i}`), ['']]) {
    const refused = await send(`${at.url}/v1/lookup`, { json: { identifiers: wrong } })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details.issues[0].path).toMatch(/^identifiers/)
  }
})

describe('a lookup is cached, and reflects changes on every node', () => {
  test('when the name is claimed, proven and given up', async () => {
    const { value, client, agent, prove, ...claim } = await verifiedKey()
    for (const anyone of [at.anyone, onOther]) {
      expect(await anyone.lookup.get(value)).toMatchObject({ match: 'claimed' })
    }
    await prove()
    await seenByAll(value, { match: 'verified', agent: { id: agent.id } })
    await client.identifiers.delete(agent.id, claim.identifier.id)
    await seenByAll(value, { match: 'unknown', agent: null, score: null })
  })

  test('when the agent has another name, status or score', async () => {
    const { value, owner, agent, prove } = await verifiedKey()
    await prove()
    await seenByAll(value, { agent: { displayName: 'agent', status: 'active' } })
    await owner.client.agents.update(agent.id, { displayName: 'renamed' })
    await seenByAll(value, { agent: { displayName: 'renamed' } })
    await platform.events.submit(agent.id, { type: 'task.failed' })
    await seenByAll(value, { score: { eventCount: 1 } })
    await owner.client.agents.deactivate(agent.id)
    const deactivated = { agent: { status: 'deactivated' }, score: { status: 'deactivated' } }
    await seenByAll(value, deactivated)
  })

  async function seenByAll(value: string, expected: object) {
    for (const anyone of [at.anyone, onOther]) {
      await expect.poll(() => anyone.lookup.get(value)).toMatchObject(expected)
    }
  }
})

test('answers to spellings that are not canonical are made again, and take no room in the cache', async () => {
  const cached = async () => {
    const text = await (await fetch(`${at.url}/metrics`)).text()
    return Number(/^standing_cache_entries\{cache="lookups"\} (\d+)$/m.exec(text)?.[1])
  }
  const before = await cached()
  for (let i = 0; i < 8; i++) {
    const letters = [...'spelt.example'].map((one, at) => ((i >> at) & 1 ? one.toUpperCase() : one))
    const identifier = letters.join('')
    expect(await at.anyone.lookup.get(identifier)).toMatchObject({ identifier, match: 'unknown' })
  }
  // Metrics may be as old as a scrape just before.
  await eventually(async () => expect(await cached()).toBe(before + 1))
})

test('an unchanged lookup is 304, and any page can read it', async () => {
  const { value, prove } = await verifiedKey()
  await prove()
  const url = `${at.url}/v1/lookup?identifier=${encodeURIComponent(value)}`
  const first = await send(url)
  const etag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('public, max-age=30, stale-while-revalidate=60')
  expect(first.headers.get('access-control-allow-origin')).toBe('*')
  // In test mode the same name may be another agent's.
  const modes = 'authorization, standing-mode, x-api-key'
  expect(first.headers.get('vary')).toBe(modes)
  const badge = await fetch(url.replace('/lookup', '/badge.svg'))
  expect(badge.headers.get('vary')).toBe(modes)
  expect((await send(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const unknown = await send(`${at.url}/v1/lookup?identifier=unknown`)
  expect(unknown.headers.get('etag')).not.toBe(etag)
})

test('each name costs one lookup of the month, including unknown ones', async () => {
  const { owner } = await newAgent(at)
  const mine = owner.client.lookup
  for (let i = 0; i < 9; i++) {
    await mine.getBatch(Array.from({ length: 100 }, (_, k) => `n${k}.example.com`))
  }
  await mine.getBatch(Array.from({ length: 99 }, (_, k) => `n${k}.example.com`))
  expect(await refusal(mine.getBatch(['a.example.com', 'b.example.com']))).toMatchObject({
    code: 'RATE_LIMIT_EXCEEDED',
    details: { limit: 'lookups_per_month', remaining: 1 },
  })
  await mine.get('a.example.com')
  expect(await refusal(mine.get('a.example.com'))).toMatchObject({
    details: { limit: 'lookups_per_month' },
  })
})

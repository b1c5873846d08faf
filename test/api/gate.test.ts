import { randomUUID } from 'node:crypto'
import { request as send } from 'undici'
import { describe, expect, test } from 'vitest'
import { newClaim } from '../support/identifiers.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'
import { DIRECTORY, newSigningAgent } from '../support/web-bot-auth.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { platform, client } = await newPlatform(at)
await client.policies.put('gate', { minScore: 50, unknown: 'deny' })
await client.policies.put('strict', { minScore: 900 })
const { agent } = await newAgent(at)

type Headers = Readonly<Record<string, string>>

/** What a proxy asks. */
async function ask(headers: Headers, path = '/v1/gate', method = 'GET') {
  const all = { 'x-api-key': platform.apiKey, ...headers }
  const answer = await send(at.url + path, { method: method as 'GET', headers: all })
  const text = await answer.body.text()
  const { error } = text === '' ? { error: undefined } : JSON.parse(text)
  return { status: answer.statusCode, headers: answer.headers, error }
}

describe('the gate', () => {
  test('admits an agent that the policy allows, and names its reasons', async () => {
    const { status, headers } = await ask({ 'x-agent-id': agent.id })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'x-standing-decision': 'allow',
      'x-standing-reasons': 'meets_policy',
      'x-standing-agent-id': agent.id,
      'x-standing-score': '100',
      'x-standing-confidence': 'low',
      'x-standing-disputed': 'false',
      'x-standing-policy': 'gate',
      'x-standing-expires-at': expect.any(String),
      'cache-control': 'no-store',
    })
  })

  test('refuses with 403 and the reason an agent that the policy denies', async () => {
    const { status, headers, error } = await ask(
      { 'x-agent-id': agent.id },
      '/v1/gate?policy=strict',
    )
    expect(status).toBe(403)
    expect(headers).toMatchObject({
      'x-standing-decision': 'deny',
      'x-standing-reasons': 'score_too_low',
      'x-standing-policy': 'strict',
    })
    expect(error).toMatchObject({
      code: 'FORBIDDEN',
      message: 'the score of 100 is below 900',
      details: { decision: 'deny', reasons: [{ code: 'score_too_low' }] },
    })
  })

  test('refuses a request whose two headers name two agents', async () => {
    const { agent: named, host } = await newSigningAgent(at)
    const both = (id: string, name: string) => ask({ 'x-agent-id': id, 'x-agent-identifier': name })
    for (const refused of [
      await both(agent.id, host.origin),
      await both(host.origin, agent.id),
      await both(agent.id, named.id),
    ]) {
      expect([refused.status, refused.headers['x-standing-reasons']]).toEqual([
        403,
        'identity_conflict',
      ])
    }
    for (const admitted of [
      await both(named.id, host.origin),
      await both(named.id, 'nobody.gate.example'),
      await both('nobody.gate.example', named.id),
    ]) {
      expect([admitted.status, admitted.headers['x-standing-agent-id']]).toEqual([200, named.id])
    }
  })

  test.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'accepts %s, with any path and query after its own',
    async (method) => {
      const named = { 'x-agent-id': agent.id }
      for (const path of ['/v1/gate', '/v1/gate/orders/7%2F8?policy=strict&q=1', '/v1/gate/']) {
        expect(await ask(named, path, method)).toMatchObject({ status: 200 })
      }
      expect((await ask({}, '/v1/gate/orders', method)).status).toBe(403)
    },
  )

  test.each(['HEAD', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'asked at its own path with %s, decides by the policy of the query, as with GET',
    async (method) => {
      const named = { 'x-agent-id': agent.id }
      const { status, headers } = await ask(named, '/v1/gate?policy=strict', method)
      expect([status, headers['x-standing-policy']]).toEqual([403, 'strict'])
      for (const query of [
        'policy=nowhere',
        'policy=',
        'policy=gate&policy=gate',
        'polcy=strict',
      ]) {
        expect((await ask(named, `/v1/gate?${query}`, method)).status).toBe(400)
      }
    },
  )

  test('accepts a name in either header, and refuses unknown agents and requests without an agent', async () => {
    const { host, agent: signing } = await newSigningAgent(at)
    for (const header of ['x-agent-id', 'x-agent-identifier']) {
      const { status, headers } = await ask({ [header]: host.origin })
      expect([status, headers['x-standing-agent-id']]).toEqual([200, signing.id])
    }
    const unknown: readonly (readonly [Headers, string])[] = [
      [{}, 'the request names no agent'],
      [{ 'x-agent-id': randomUUID() }, 'no agent has this id'],
      [{ 'x-agent-identifier': 'x.test' }, 'no agent has proven this name'],
    ]
    for (const [named, words] of unknown) {
      const { status, headers, error } = await ask(named)
      expect([status, headers['x-standing-reasons']]).toEqual([403, 'agent_unknown'])
      expect(error.message).toContain(words)
    }
  })

  test('refuses an agent to review, unless the proxy asks to admit it', async () => {
    await client.policies.put('unsure', { minScore: 0, minConfidence: 'high' })
    const named = { 'x-agent-id': agent.id }
    const refused = await ask(named, '/v1/gate?policy=unsure')
    expect([refused.status, refused.headers['x-standing-decision']]).toEqual([403, 'review'])
    const passed = await ask(named, '/v1/gate?policy=unsure&review=allow')
    expect([passed.status, passed.headers['x-standing-decision']]).toEqual([200, 'review'])
  })

  test('requires no key, but a wrong key is 401, and an unknown policy 400', async () => {
    const anonymous = await send(`${at.url}/v1/gate`, { headers: { 'x-agent-id': agent.id } })
    expect(anonymous.statusCode).toBe(403)
    expect(anonymous.headers).toMatchObject({ 'x-standing-policy': 'none' })
    expect((await ask({ 'x-api-key': 'avp_wrong' })).status).toBe(401)
    const unknown = await ask({}, '/v1/gate?policy=nowhere')
    expect([unknown.status, unknown.error.details.issues[0].path]).toEqual([400, 'query.policy'])
  })
})

describe('a request that an agent signed (Web Bot Auth)', () => {
  const site = { 'x-forwarded-host': 'shop.example.com', 'x-forwarded-proto': 'https' }
  const url = 'https://shop.example.com/orders?q=1'
  const uri = { 'x-original-uri': '/orders?q=1' }

  test('is attributed to the agent whose proven directory has the key', async () => {
    const { agent: signing, sign } = await newSigningAgent(at)
    const { status, headers } = await ask({ ...site, ...uri, ...(await sign(url)) })
    expect([status, headers['x-standing-agent-id']]).toEqual([200, signing.id])
  })

  test('is refused at another host, after its expiry, changed, or with another key', async () => {
    const { sign, host } = await newSigningAgent(at)
    const other = await newSigningAgent(at)
    const signed = await sign(url)
    const bySomebodyElse = await other.sign(url, { origin: host.origin })
    for (const wrong of [
      { ...site, ...(await sign('https://other.example.com/orders')) },
      { ...site, ...(await sign(url, { lifeMs: -120_000 })) },
      { ...site, ...signed, signature: `sig1=:${Buffer.alloc(64).toString('base64')}:` },
      { ...site, ...signed, 'signature-input': 'no' },
      { ...signed, 'x-forwarded-host': 'no host' },
      { ...signed, 'x-forwarded-host': 'shop.example.com:99999' },
      { ...site, ...signed, 'x-forwarded-proto': '::' },
      { ...site, 'signature-agent': signed['signature-agent'] ?? '' },
      { ...site, ...bySomebodyElse },
      // Its own signature under the name of another directory.
      { ...site, ...signed, 'signature-agent': `"${other.host.origin}"` },
    ]) {
      const { status, headers } = await ask(wrong)
      expect([status, headers['x-standing-reasons']]).toEqual([403, 'signature_invalid'])
    }
  })

  test('is accepted until a minute after its expiry, because clocks differ', async () => {
    const { agent: signing, sign } = await newSigningAgent(at)
    const expired = await ask({ ...site, ...(await sign(url, { lifeMs: -30_000 })) })
    expect([expired.status, expired.headers['x-standing-agent-id']]).toEqual([200, signing.id])
  })

  test('cannot be attributed to another agent by a header', async () => {
    const { sign, agent: signing } = await newSigningAgent(at)
    const signed = { ...site, ...(await sign(url)) }
    const refused = await ask({ ...signed, 'x-agent-id': agent.id })
    expect([refused.status, refused.headers['x-standing-reasons']]).toEqual([
      403,
      'identity_conflict',
    ])
    expect((await ask({ ...signed, 'x-agent-id': signing.id })).status).toBe(200)
  })

  test('cannot be attributed to another agent by a name, in either header', async () => {
    const { sign, agent: signing, host } = await newSigningAgent(at)
    const { host: another } = await newSigningAgent(at)
    const signed = { ...site, ...(await sign(url)) }
    for (const header of ['x-agent-identifier', 'x-agent-id']) {
      const refused = await ask({ ...signed, [header]: another.origin })
      expect([refused.status, refused.headers['x-standing-reasons']]).toEqual([
        403,
        'identity_conflict',
      ])
      const own = await ask({ ...signed, [header]: host.origin })
      expect([own.status, own.headers['x-standing-agent-id']]).toEqual([200, signing.id])
    }
    const both = { 'x-agent-id': signing.id, 'x-agent-identifier': another.origin }
    expect((await ask({ ...signed, ...both })).headers['x-standing-reasons']).toBe(
      'identity_conflict',
    )
  })

  test('is the signer’s also where a header has a name that no agent has proven', async () => {
    const { sign, agent: signing } = await newSigningAgent(at)
    const { identifier } = await newClaim(at, 'domain', 'claimed.gate.example')
    for (const name of [identifier.value, 'nobody.gate.example']) {
      const { status, headers } = await ask({
        ...site,
        ...(await sign(url)),
        'x-agent-identifier': name,
      })
      expect([status, headers['x-standing-agent-id']]).toEqual([200, signing.id])
    }
  })

  test('counts as an unknown agent if its directory is not proven, and the directory is not read', async () => {
    const { sign, host } = await newSigningAgent(at)
    const { host: unknown } = await newSigningAgent(await startElsewhere())
    const before = unknown.requests.length
    const { headers } = await ask({ ...site, ...(await sign(url, { origin: unknown.origin })) })
    expect(headers['x-standing-reasons']).toBe('agent_unknown')
    expect(unknown.requests.length).toBe(before)
    expect(host.requests).toContain(DIRECTORY)
  })

  test('does not hide the agent that the proxy names if its directory is not proven', async () => {
    const { sign } = await newSigningAgent(at)
    const signed = await sign(url, { origin: 'https://unknown.example.com' })
    const { headers } = await ask({ ...site, ...signed, 'x-agent-id': agent.id })
    expect(headers['x-standing-agent-id']).toBe(agent.id)
  })

  test('causes no request to its directory while the keys are fresh', async () => {
    const { sign, host } = await newSigningAgent(at)
    await ask({ ...site, ...(await sign(url)) })
    const before = host.requests.length
    expect((await ask({ ...site, ...(await sign(url)) })).status).toBe(200)
    expect(host.requests.length).toBe(before)
  })
})

function startElsewhere() {
  return startService({ STANDING_RATE_LIMITS: 'off' })
}

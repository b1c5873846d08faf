import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { Standing, StandingError } from '../src/index.ts'
import { refusal, serve } from './server.ts'

describe('an error', () => {
  it('carries status, code, message, details and the request id', async () => {
    const issues = [{ path: 'displayName', code: 'too_long', message: 'at most 100' }]
    const details = { issues, requestId: 'r-1' }
    const body = refusal('VALIDATION_ERROR', 'displayName: at most 100', details)
    const bench = await serve(() => ({ status: 400, body }))
    const call = bench.client().agents.register({ displayName: 'x'.repeat(101) })
    await expect(call).rejects.toMatchObject({
      name: 'StandingError',
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'displayName: at most 100',
      details,
      requestId: 'r-1',
    })
  })

  it('of something that stands in front of the service is told apart', async () => {
    const headers = { 'content-type': 'text/html', 'x-request-id': 'r-2' }
    const bench = await serve((_request, n) => ({
      status: n === 0 ? 418 : 200,
      body: '<p>',
      headers,
    }))
    const code = 'UNEXPECTED_RESPONSE'
    await expect(bench.client().agents.me()).rejects.toMatchObject({
      status: 418,
      code,
      requestId: 'r-2',
    })
    await expect(bench.client().agents.me()).rejects.toMatchObject({ status: 200, code })
  })

  it('is what a redirect is: a key follows no one elsewhere', async () => {
    const bench = await serve(() => ({ status: 302, headers: { location: '/elsewhere' } }))
    await expect(bench.client({ apiKey: 'avs_x' }).agents.me()).rejects.toMatchObject({
      status: 302,
    })
    expect(bench.received).toHaveLength(1)
  })

  it('comes before any request where the call makes no sense', async () => {
    const bench = await serve(() => ({ status: 200 }))
    const client = bench.client()
    for (const id of ['', '.', '..']) expect(() => client.agents.get(id)).toThrow(StandingError)
    expect(() => new Standing({ baseUrl: 'here' })).toThrow('here is not a URL')
    expect(() => new Standing({ baseUrl: 'localhost:8080' })).toThrow('http://')
    const circular: Record<string, unknown> = {}
    circular.itself = circular
    const input = { displayName: 'd', metadata: circular }
    for (const call of [
      client.agents.register(input),
      client.agents.register({ displayName: 'd' }, { idempotencyKey: 'ключ' }),
    ]) {
      await expect(call).rejects.toMatchObject({ name: 'StandingError', code: 'INVALID_CALL' })
    }
    expect(bench.received).toHaveLength(0)
  })
})

describe('a call', () => {
  it('goes with the credential it needs', async () => {
    const bench = await serve(() => ({ status: 200, body: {} }))
    const client = bench.client({ apiKey: 'avs_a', token: 'jwt', operatorKey: 'avo_o' })
    await client.agents.me()
    await client.agents.update('a', { displayName: 'b' })
    await client.operator.setOwnerTier('o', 'growth')
    await client.credentials.get('c')
    const sent = bench.received.map(({ headers }) => headers['x-api-key'] ?? headers.authorization)
    expect(sent).toEqual(['avs_a', 'Bearer jwt', 'avo_o', undefined])
  })

  it('says what makes it', async () => {
    const bench = await serve(() => ({ status: 200, body: {} }))
    await bench.client().agents.get('a')
    const { version } = JSON.parse(await readFile('sdk/package.json', 'utf8'))
    expect(bench.received[0]?.headers['user-agent']).toBe(`standing-sdk/${version}`)
  })

  it('keeps an id inside its place in the path', async () => {
    const bench = await serve(() => ({ status: 200, body: {} }))
    await bench.client({ baseUrl: `${bench.baseUrl}/` }).agents.get('a/b?c#d')
    expect(bench.received[0]?.url).toBe('/v1/agents/a%2Fb%3Fc%23d')
  })

  it('sends the filters given and no others', async () => {
    const bench = await serve(() => ({ status: 200, body: { data: [], nextCursor: null } }))
    await bench.client().events.list({ type: 'task.failed', from: undefined, limit: 5 })
    expect(bench.received[0]?.url).toBe('/v1/events?type=task.failed&limit=5')
  })

  it('that deletes answers nothing', async () => {
    const bench = await serve(() => ({ status: 204 }))
    expect(await bench.client({ token: 't' }).webhooks.delete('w')).toBeUndefined()
    expect(bench.received[0]).toMatchObject({ method: 'DELETE', body: undefined })
  })

  it('goes with a token once the client was given one', async () => {
    const bench = await serve(() => ({ status: 200, body: {} }))
    await bench.client().with({ token: 'later' }).agents.list()
    expect(bench.received[0]?.headers.authorization).toBe('Bearer later')
  })
})

describe('every method', () => {
  const id = 'x'
  const calls: readonly (readonly [string, (client: Standing) => unknown])[] = [
    ['POST /v1/auth/register', (c) => c.auth.register({ email: 'e', password: 'p' })],
    ['POST /v1/auth/login', (c) => c.auth.login({ email: 'e', password: 'p' })],
    ['GET /v1/auth/me', (c) => c.auth.me()],
    [
      'POST /v1/auth/password',
      (c) => c.auth.changePassword({ currentPassword: 'a', newPassword: 'b' }),
    ],
    ['POST /v1/agents', (c) => c.agents.register({ displayName: 'd' })],
    ['GET /v1/agents', (c) => c.agents.list()],
    ['GET /v1/agents/me', (c) => c.agents.me()],
    ['GET /v1/agents/x', (c) => c.agents.get(id)],
    ['PATCH /v1/agents/x', (c) => c.agents.update(id, {})],
    ['DELETE /v1/agents/x', (c) => c.agents.deactivate(id)],
    ['POST /v1/agents/x/rotate-key', (c) => c.agents.rotateKey(id)],
    ['GET /v1/agents/x/score', (c) => c.score.get(id)],
    ['GET /v1/agents/x/score/history', (c) => c.score.getHistory(id)],
    ['POST /v1/scores/batch', (c) => c.score.getBatch([id])],
    ['GET /v1/scores/classifications', (c) => c.score.classifications()],
    ['GET /v1/events', (c) => c.events.list()],
    ['GET /v1/agents/x/events', (c) => c.events.listFor(id)],
    ['POST /v1/events/x/appeal', (c) => c.events.appeal(id, 's')],
    ['POST /v1/credentials', (c) => c.credentials.issue({ agentId: id, type: 't', claims: {} })],
    ['GET /v1/credentials?agentId=x', (c) => c.credentials.list({ agentId: id })],
    ['GET /v1/credentials/x', (c) => c.credentials.get(id)],
    ['POST /v1/credentials/x/verify', (c) => c.credentials.verify(id)],
    ['POST /v1/credentials/verify', (c) => c.credentials.verifyToken({ credentialId: id })],
    ['DELETE /v1/credentials/x', (c) => c.credentials.revoke(id, 'why')],
    ['POST /v1/webhooks', (c) => c.webhooks.create({ url: 'u', events: ['*'] })],
    ['GET /v1/webhooks', (c) => c.webhooks.list()],
    ['PATCH /v1/webhooks/x', (c) => c.webhooks.update(id, { status: 'active' })],
    ['DELETE /v1/webhooks/x', (c) => c.webhooks.delete(id)],
    ['POST /v1/operator/platforms', (c) => c.operator.createPlatform({ name: 'n' })],
    ['GET /v1/operator/platforms', (c) => c.operator.listPlatforms()],
    ['PATCH /v1/operator/platforms/x', (c) => c.operator.updatePlatform(id, {})],
    ['POST /v1/operator/platforms/x/rotate-key', (c) => c.operator.rotatePlatformKey(id)],
    ['PATCH /v1/operator/owners/x', (c) => c.operator.setOwnerTier(id, 'free')],
    [
      'PATCH /v1/operator/agents/x',
      (c) => c.operator.setAgentStatus(id, { status: 'active', reason: 'r' }),
    ],
    ['GET /v1/operator/reviews', (c) => c.operator.reviews()],
    [
      'POST /v1/operator/events/x/review',
      (c) => c.operator.review(id, { decision: 'upheld', reason: 'r' }),
    ],
    ['GET /v1/operator/audit', (c) => c.operator.audit()],
  ]
  it.each(calls)('%s', async (route, call) => {
    const bench = await serve(() => ({ status: 200, body: { data: [], notFound: [] } }))
    await call(bench.client())
    expect(bench.received.map(({ method, url }) => `${method} ${url}`)).toEqual([route])
  })
})

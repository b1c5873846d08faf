import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { refusal, send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const at = await startService({
  STANDING_EVENTS_PER_AGENT_HOUR: '1000',
  STANDING_RATE_LIMITS: 'off',
})
const AUDIT = { type: 'SecurityAudit', claims: { auditor: 'Example Labs', grade: 'A' } }
const NOBODY = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
const DAY_MS = 86_400_000

/** An agent with a credential of its owner's. */
async function issued({ livesMs, ...input }: Partial<typeof AUDIT & { livesMs: number }> = {}) {
  const { agent, owner, client } = await newAgent(at)
  const { credentials } = owner.client
  const expiresAt = livesMs && new Date(Date.now() + livesMs).toISOString()
  const ending = expiresAt ? { expiresAt } : {}
  const credential = await credentials.issue({ agentId: agent.id, ...AUDIT, ...input, ...ending })
  return { agent, owner, client, credentials, credential }
}

describe('issuing', () => {
  test('returns the record with the owner’s statement, which anyone can read', async () => {
    const { agent, owner, credential } = await issued({ livesMs: DAY_MS })
    expect(credential).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      agentId: agent.id,
      assertedBy: 'owner',
      issuerId: owner.owner.id,
      ...AUDIT,
      status: 'active',
      issuedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      revokedAt: null,
      revocationReason: null,
      jwt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    })
    expect(await at.anyone.credentials.get(credential.id)).toEqual(credential)
  })

  test('records an event with the weight of a self-report, and so does revoking', async () => {
    const { agent, owner, credentials, credential } = await issued()
    await credentials.revoke(credential.id)
    const events = (await owner.client.events.list(agent.id)).data
    const data = { credentialId: credential.id, credentialType: credential.type }
    const reporter = { kind: 'owner', id: owner.owner.id }
    const common = { data, reporter, weight: 0.1, isSelfReported: false, isQuarantined: false }
    expect(events).toMatchObject([
      { type: 'credential.revoked', impact: 'negative', ...common },
      { type: 'credential.issued', impact: 'positive', ...common },
    ])
    expect(await at.anyone.score.get(agent.id)).toMatchObject({
      eventCount: 2,
      evidence: { platformReported: 0, selfReported: 2 },
    })
  })

  test('accepts claims with any keys, and returns them unchanged', async () => {
    const claims = { type: 'x', 'a b': [1, 2.5, null, { id: 7 }], ü: '😀', constructor: 'c', '': 1 }
    const { agent, credentials } = await issued()
    const credential = await credentials.issue({ agentId: agent.id, type: 'T', claims })
    expect(credential.claims).toEqual(claims)
    expect((await credentials.verify(credential.id)).claims).toEqual(claims)
  })

  test('with one Idempotency-Key happens once', async () => {
    const { agent, owner } = await newAgent(at)
    const ask = () =>
      owner.client.credentials.issue(
        { agentId: agent.id, ...AUDIT },
        { idempotencyKey: 'one-audit' },
      )
    const first = await ask()
    expect(await ask()).toEqual(first)
    const { data } = await owner.client.credentials.list({ agentId: agent.id })
    expect(data).toEqual([first])
    expect(await at.anyone.score.get(agent.id)).toMatchObject({ eventCount: 1 })
  })

  test.each(['security_audit-2.0', 'ex:Audit', 'Prüfung', 'https://example.com/types#Audit', 'T'])(
    'has the type %s, a term or a URL',
    async (type) => {
      const { credential } = await issued({ type })
      expect(credential.type).toBe(type)
    },
  )

  test.each([
    ['agentId', { agentId: 'agent' }],
    ['agentId', { agentId: undefined }],
    ['type', { type: '' }],
    ['type', { type: 'x'.repeat(101) }],
    ['type', { type: 'two\nlines' }],
    ['type', { type: 'Bad Type!' }],
    ['type', { type: '<b>x</b>' }],
    ['type', { type: '-Audit' }],
    ['type', { type: 'https://example.com/a b' }],
    ['type', { type: 'https://' }],
    ['type', { type: 'StandingScore' }],
    ['type', { type: 'standingscore' }],
    ['type', { type: 'Ｓtandingscore' }],
    ['type', { type: 'BitstringStatusListCredential' }],
    ['claims', { claims: undefined }],
    ['claims', { claims: [] }],
    ['claims', { claims: 'all of them' }],
    ['claims', { claims: { text: 'x'.repeat(17_000) } }],
    ['claims', { claims: { id: 'another agent' } }],
    ['claims', { claims: { '@context': 'https://example.com' } }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['status', { status: 'active' }],
  ])('is refused if %s is wrong (%#)', async (path, wrong) => {
    const { agent, owner } = await newAgent(at)
    const { status, body } = await send(`${at.url}/v1/credentials`, {
      key: owner.token,
      json: { agentId: agent.id, ...AUDIT, ...wrong },
    })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.details.issues[0].path).toBe(path)
    expect((await owner.client.credentials.list({ agentId: agent.id })).data).toEqual([])
  })

  test('is reserved to the owner of an active agent', async () => {
    const { agent, owner, client } = await newAgent(at)
    const stranger = await newOwner(at)
    const input = { agentId: agent.id, ...AUDIT }
    const { credentials } = owner.client
    expect(await refusal(stranger.client.credentials.issue(input))).toMatchObject({ status: 403 })
    expect(await refusal(credentials.issue({ ...input, agentId: NOBODY }))).toMatchObject({
      code: 'NOT_FOUND',
    })
    for (const key of [agent.apiKey, OPERATOR_KEY]) {
      expect((await send(`${at.url}/v1/credentials`, { key, json: input })).status).toBe(403)
    }
    expect((await send(`${at.url}/v1/credentials`, { json: input })).status).toBe(401)

    await at.operator.operator.setAgentStatus(agent.id, { status: 'suspended', reason: 'asked' })
    expect(await refusal(credentials.issue(input))).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'agent_suspended' },
    })
    await owner.client.agents.deactivate(agent.id)
    expect(await refusal(credentials.issue(input))).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'agent_deactivated' },
    })
    expect(await refusal(client.agents.me())).toMatchObject({ status: 401 })
  })

  test('thirty of one type by the agent’s own owner gains as much as one, and revoking all but one costs nothing', async () => {
    const { agent, owner } = await newAgent(at)
    const identity = async () => (await at.anyone.score.get(agent.id)).breakdown.identity.score
    const { credentials } = owner.client
    const issue = () => credentials.issue({ agentId: agent.id, ...AUDIT })
    const start = await identity()
    const first = await issue()
    const once = await identity()
    expect(once).toBeGreaterThan(start)
    for (let i = 0; i < 29; i++) {
      await issue()
    }
    expect(await identity()).toBe(once)
    await credentials.revoke(first.id)
    expect(await identity()).toBe(once)
  })

  test('by the agent’s own owner gains at most a fixed bound, and repeated issuing and revoking gains nothing', async () => {
    const { agent, owner } = await newAgent(at)
    const identity = async () => (await at.anyone.score.get(agent.id)).breakdown.identity.score
    const { credentials } = owner.client
    const start = await identity()
    const issue = (type: string) => credentials.issue({ agentId: agent.id, type, claims: {} })
    for (let i = 0; i < 8; i++) {
      await issue(`T${i}`)
    }
    const bounded = await identity()
    expect(bounded).toBeGreaterThan(start)
    for (let i = 0; i < 20; i++) {
      await issue(`U${i}`)
    }
    expect(await identity()).toBe(bounded)
    for (let i = 0; i < 5; i++) {
      await credentials.revoke((await issue('V')).id)
    }
    expect(await identity()).toBeLessThanOrEqual(bounded)
  })
})

describe('listing', () => {
  test('is by agent, newest first, in pages, with a filter by status', async () => {
    const { agent, credentials, credential: first } = await issued({ livesMs: 200 })
    const rest = []
    for (let i = 0; i < 4; i++) {
      rest.unshift(await credentials.issue({ agentId: agent.id, type: `T${i}`, claims: { i } }))
    }
    await credentials.revoke(rest[0]?.id ?? '')
    await eventually(async () => {
      expect((await credentials.verify(first.id)).status).toBe('expired')
    })
    const ids = async (query: Parameters<typeof credentials.list>[0]) => {
      const all: string[] = []
      for await (const { id } of credentials.list(query)) {
        all.push(id)
      }
      return all
    }
    const restIds = rest.map(({ id }) => id)
    expect(await ids({ agentId: agent.id, limit: 2 })).toEqual([...restIds, first.id])
    expect(await ids({ agentId: agent.id, status: 'active' })).toEqual(restIds.slice(1))
    expect(await ids({ agentId: agent.id, status: 'expired' })).toEqual([first.id])
    expect(await ids({ agentId: agent.id, status: 'revoked' })).toEqual([rest[0]?.id])
    const other = await newAgent(at)
    expect(await refusal(credentials.list({ agentId: other.agent.id }))).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await refusal(credentials.list({ agentId: NOBODY }))).toMatchObject({ status: 404 })
  })

  test('returns each that existed at the first page once, even if it is revoked meanwhile', async () => {
    const { agent, credentials } = await issued()
    for (let i = 0; i < 3; i++) {
      await credentials.issue({ agentId: agent.id, type: `T${i}`, claims: {} })
    }
    const query = { agentId: agent.id, status: 'active', limit: 2 } as const
    const first = await credentials.list(query)
    for (const { id } of (await credentials.list({ agentId: agent.id })).data) {
      await credentials.revoke(id)
    }
    const second = await credentials.list({ ...query, cursor: first.nextCursor ?? '' })
    expect(second.data.map(({ status }) => status)).toEqual(['revoked', 'revoked'])
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(4)
  })

  test('requires an agent, and refuses a cursor of another list', async () => {
    const { agent, owner, credentials } = await issued()
    await credentials.issue({ agentId: agent.id, ...AUDIT })
    const url = `${at.url}/v1/credentials`
    const ask = (query: string) => send(`${url}?${query}`, { key: owner.token })
    expect((await ask('')).body.error.details.issues[0].path).toBe('query.agentId')
    const { nextCursor } = (await ask(`agentId=${agent.id}&limit=1`)).body
    for (const wrong of ['status=stale', 'limit=0', `status=active&cursor=${nextCursor}`]) {
      const { status, body } = await ask(`agentId=${agent.id}&${wrong}`)
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

describe('reading', () => {
  test('is open to every caller and web page, and cached by its tag', async () => {
    const { credential, credentials } = await issued()
    const url = `${at.url}/v1/credentials/${credential.id}`
    const { status, headers, body } = await send(url)
    expect([status, body]).toEqual([200, credential])
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=30, stale-while-revalidate=60',
      vary: 'accept',
    })
    const etag = headers.get('etag') ?? ''
    const again = () => send(url, { headers: { 'if-none-match': etag } })
    expect((await again()).status).toBe(304)
    await credentials.revoke(credential.id)
    expect(await again()).toMatchObject({ status: 200, body: { status: 'revoked' } })
  })

  test('returns a page without scripts to a browser, and the token to a client that asks for it', async () => {
    const claims = { note: '<script>alert("x")</script>', tag: '<b>&' }
    const { credential } = await issued({ claims: claims as never })
    const url = `${at.url}/v1/credentials/${credential.id}`
    const as = async (accept: string) => {
      const response = await fetch(url, { headers: { accept } })
      return { headers: response.headers, text: await response.text() }
    }
    const page = await as('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
    expect(page.text).toContain('&#60;b&#62;&#38;')
    expect(page.text).toContain('<dt>Asserted by</dt>')
    expect(page.text).not.toMatch(/<script|<b>|src=|href="(?!#|\/(?!\/))/)
    const token = await as('application/vc+jwt')
    expect(token.headers.get('content-type')).toBe('application/vc+jwt')
    expect(token.text).toBe(credential.jwt)
    expect(token.headers.get('etag')).not.toBe(page.headers.get('etag'))
  })

  test('an unknown one is NOT_FOUND, an invalid id VALIDATION_ERROR', async () => {
    expect(await refusal(at.anyone.credentials.get(NOBODY))).toMatchObject({ code: 'NOT_FOUND' })
    expect(await refusal(at.anyone.credentials.get('one'))).toMatchObject({ status: 400 })
  })
})

describe('verifying', () => {
  const ALL = {
    signature: true,
    issuer: true,
    notBefore: true,
    expiry: true,
    status: true,
    subject: true,
  }

  test('by id and by token returns that it is valid, with each check, and is never cached', async () => {
    const { owner, credential } = await issued()
    const expected = {
      valid: true,
      status: 'active',
      claims: AUDIT.claims,
      checks: ALL,
      credential,
    }
    const { verify } = at.anyone.credentials
    expect(await verify(credential.jwt)).toMatchObject(expected)
    expect(await verify(credential.id)).toMatchObject(expected)
    const byId = await send(`${at.url}/v1/credentials/${credential.id}/verify`, {
      method: 'POST',
      key: owner.token,
    })
    expect(byId.body).toMatchObject(expected)
    const { headers } = await send(`${at.url}/v1/credentials/verify`, {
      json: { jwt: credential.jwt },
    })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('a revoked one returns false before the response to the revocation, on every node', async () => {
    const { credentials, credential } = await issued()
    const { url } = await at.node()
    const elsewhere = at.anyone.with({ baseUrl: url }).credentials
    expect(await elsewhere.verify(credential.jwt)).toMatchObject({ valid: true })
    await credentials.revoke(credential.id)
    for (const proof of [credential.jwt, credential.id]) {
      expect(await elsewhere.verify(proof)).toMatchObject({
        valid: false,
        status: 'revoked',
        claims: AUDIT.claims,
        checks: { ...ALL, status: false },
      })
    }
  })

  test('an expired one returns false by the clock alone', async () => {
    const { credentials, credential } = await issued({ livesMs: 200 })
    await eventually(async () => {
      expect(await credentials.verify(credential.id)).toMatchObject({
        valid: false,
        status: 'expired',
        checks: { ...ALL, expiry: false },
      })
    })
    expect(await at.anyone.credentials.get(credential.id)).toMatchObject({ status: 'expired' })
  })

  test('one of a suspended agent returns false until the suspension is lifted', async () => {
    const { agent, credentials, credential } = await issued()
    const { setAgentStatus } = at.operator.operator
    await setAgentStatus(agent.id, { status: 'suspended', reason: 'asked' })
    expect(await credentials.verify(credential.id)).toMatchObject({
      valid: false,
      status: 'suspended',
      checks: { ...ALL, status: false },
    })
    await setAgentStatus(agent.id, { status: 'active', reason: 'answered' })
    expect(await credentials.verify(credential.id)).toMatchObject({ valid: true })
  })

  test('requires either credentialId or jwt, and an existing id', async () => {
    const { credential, credentials } = await issued()
    const url = `${at.url}/v1/credentials/verify`
    const both = { credentialId: credential.id, jwt: credential.jwt }
    for (const json of [{}, both, { jwt: 7 }, { credentialId: 'x' }, { id: NOBODY }]) {
      expect((await send(url, { json })).body.error.code).toBe('VALIDATION_ERROR')
    }
    const unknown = await send(url, { json: { credentialId: NOBODY } })
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(await refusal(credentials.verify(NOBODY))).toMatchObject({ status: 404 })
    const anonymous = await send(`${at.url}/v1/credentials/${credential.id}/verify`, {
      method: 'POST',
    })
    expect(anonymous.status).toBe(401)
  })
})

describe('revoking', () => {
  test('is final, keeps its reason, and changes nothing when repeated', async () => {
    const { credentials, credential, agent } = await issued()
    const revoked = await credentials.revoke(credential.id, 'The audit was withdrawn.')
    expect(revoked).toEqual({
      ...credential,
      status: 'revoked',
      revokedAt: expect.stringMatching(/Z$/),
      revocationReason: 'The audit was withdrawn.',
    })
    expect(await credentials.revoke(credential.id, 'Another reason.')).toEqual(revoked)
    expect(await credentials.revoke(credential.id)).toEqual(revoked)
    expect(await at.anyone.score.get(agent.id)).toMatchObject({ eventCount: 2 })
  })

  test('by simultaneous requests happens once', async () => {
    const { credentials, credential, agent } = await issued()
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => credentials.revoke(credential.id, `reason ${i}`)),
    )
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(await at.anyone.score.get(agent.id)).toMatchObject({ eventCount: 2 })
  })

  test('is reserved to the owner, and requires an existing credential', async () => {
    const { credential, owner } = await issued()
    const stranger = await newOwner(at)
    expect(await refusal(stranger.client.credentials.revoke(credential.id))).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await refusal(owner.client.credentials.revoke(NOBODY))).toMatchObject({ status: 404 })
    const { status } = await send(`${at.url}/v1/credentials/${credential.id}`, {
      method: 'DELETE',
      key: owner.token,
      json: { reason: '' },
    })
    expect(status).toBe(400)
    expect(await at.anyone.credentials.get(credential.id)).toMatchObject({ status: 'active' })
  })

  test('works while the agent is suspended', async () => {
    const { agent, credentials, credential } = await issued()
    await at.operator.operator.setAgentStatus(agent.id, { status: 'suspended', reason: 'asked' })
    expect(await credentials.revoke(credential.id)).toMatchObject({ status: 'revoked' })
  })

  test('is part of deactivation, for all active credentials, and records no event', async () => {
    const { agent, owner, credentials, credential } = await issued()
    const other = await credentials.issue({ agentId: agent.id, type: 'Other', claims: {} })
    await owner.client.agents.deactivate(agent.id)
    for (const { id } of [credential, other]) {
      expect(await credentials.verify(id)).toMatchObject({
        valid: false,
        status: 'revoked',
        credential: { revocationReason: 'agent_deactivated' },
      })
    }
    expect(await at.anyone.score.get(agent.id)).toMatchObject({ eventCount: 2 })
  })
})

describe('an agent’s hourly limit', () => {
  test('that reporters have used up does not limit credentials', async () => {
    const few = await startService({ STANDING_EVENTS_PER_AGENT_HOUR: '1' })
    const { agent, owner } = await newAgent(few)
    const { client: platform } = await newPlatform(few)
    await platform.events.submit(agent.id, { type: 'task.completed' })
    const report = platform.events.submit(agent.id, { type: 'task.completed' })
    expect(await refusal(report)).toMatchObject({ status: 429 })
    const { credentials } = owner.client
    const { id } = await credentials.issue({ agentId: agent.id, ...AUDIT })
    expect(await credentials.revoke(id)).toMatchObject({ status: 'revoked' })
  })
})

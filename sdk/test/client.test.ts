import { readFile } from 'node:fs/promises'
import { describe, expect, it as test } from 'vitest'
import { type Standing, StandingError } from '../src/index.ts'
import { refusal, serve } from './server.ts'

describe('an error', () => {
  test('has status, code, message, details and the request id', async () => {
    const issues = [{ path: 'displayName', code: 'too_long', message: 'at most 100' }]
    const details = { issues, requestId: 'r-1' }
    const body = refusal('VALIDATION_ERROR', 'displayName: at most 100', details)
    const server = await serve(() => ({ status: 400, body }))
    const call = server.client().agents.register({ displayName: 'x'.repeat(101) })
    await expect(call).rejects.toMatchObject({
      name: 'StandingError',
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'displayName: at most 100',
      details,
      requestId: 'r-1',
    })
  })

  test('of a proxy in front of the service has a code of its own', async () => {
    const headers = { 'content-type': 'text/html', 'x-request-id': 'r-2' }
    const server = await serve((_request, n) => ({
      status: n === 0 ? 418 : 200,
      body: '<p>',
      headers,
    }))
    const code = 'UNEXPECTED_RESPONSE'
    await expect(server.client().agents.me()).rejects.toMatchObject({
      status: 418,
      code,
      requestId: 'r-2',
    })
    await expect(server.client().agents.me()).rejects.toMatchObject({ status: 200, code })
  })

  test.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['half of an object', '{"id": 1'],
  ])('is thrown where a 200 has %s in place of an object', async (_name, body) => {
    const server = await serve(() => ({ status: 200, body }))
    const client = server.client({ apiKey: 'avp_x', operatorKey: 'avo_x' })
    for (const call of [
      () => client.agents.me(),
      () => client.agents.list(),
      () => client.score.getBatch(['a']),
      () => client.events.report('a', { type: 'task.completed' }),
      () => client.operator.rules(),
    ]) {
      await expect(call()).rejects.toMatchObject({
        code: 'UNEXPECTED_RESPONSE',
        message: expect.stringMatching(/baseUrl/),
      })
    }
  })

  test('is thrown where a report is answered without saying what became of the events', async () => {
    const server = await serve(() => ({ status: 200, body: {} }))
    const report = server.client({ apiKey: 'avp_x' }).events.report('a', { type: 'task.completed' })
    await expect(report).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' })
  })

  test.each([
    ['the page of a proxy', 'text/html', '<p>maintenance</p>\n'],
    ['lines of which the last is cut', 'application/x-ndjson', '{"id":"1"}\n{"id":'],
  ])('is thrown where an export is %s', async (_name, type, body) => {
    const server = await serve(() => ({ status: 200, body, headers: { 'content-type': type } }))
    const client = server.client({ operatorKey: 'avo_x' })
    const refusal = { code: 'UNEXPECTED_RESPONSE', status: 200 }
    await expect(client.events.export('a')).rejects.toMatchObject(refusal)
    await expect(client.operator.exportAudit().next()).rejects.toMatchObject(refusal)
  })

  test('is thrown on a redirect, so that a key is not sent elsewhere', async () => {
    const server = await serve(() => ({ status: 302, headers: { location: '/elsewhere' } }))
    await expect(server.client({ apiKey: 'avs_x' }).agents.me()).rejects.toMatchObject({
      status: 302,
      message: expect.stringMatching(/names \/elsewhere: .*baseUrl/),
    })
    expect(server.received).toHaveLength(1)
  })

  test('is thrown before any request for an impossible call', async () => {
    const server = await serve(() => ({ status: 200 }))
    const client = server.client()
    for (const id of ['', '.', '..', '\ud800']) {
      expect(() => client.agents.get(id)).toThrow(StandingError)
    }
    const circular: Record<string, unknown> = {}
    circular.itself = circular
    const input = { displayName: 'd', metadata: circular }
    for (const call of [
      client.agents.register(input),
      client.agents.register({ displayName: 'd' }, { idempotencyKey: 'ключ' }),
    ]) {
      await expect(call).rejects.toMatchObject({ name: 'StandingError', code: 'INVALID_CALL' })
    }
    expect(server.received).toHaveLength(0)
  })
})

describe('a call', () => {
  test('is sent with the credential that it needs', async () => {
    const server = await serve(() => ({ status: 200, body: {} }))
    const client = server.client({ apiKey: 'avs_a', token: 'jwt', operatorKey: 'avo_o' })
    await client.agents.me()
    await client.agents.update('a', { displayName: 'b' })
    await client.operator.setOwnerTier('o', 'growth')
    await client.credentials.get('c')
    const sent = server.received.map(({ headers }) => headers['x-api-key'] ?? headers.authorization)
    expect(sent).toEqual(['avs_a', 'Bearer jwt', 'avo_o', undefined])
  })

  test('names the client and its version', async () => {
    const server = await serve(() => ({ status: 200, body: {} }))
    await server.client().agents.get('a')
    const { version } = JSON.parse(await readFile('sdk/package.json', 'utf8'))
    expect(server.received[0]?.headers['user-agent']).toBe(`standing-sdk/${version}`)
  })

  test('encodes an id so that it cannot change the path', async () => {
    const server = await serve(() => ({ status: 200, body: {} }))
    await server.client({ baseUrl: `${server.baseUrl}/` }).agents.get('a/b?c#d')
    expect(server.received[0]?.url).toBe('/v1/agents/a%2Fb%3Fc%23d')
  })

  test('sends the given filters and no others', async () => {
    const server = await serve(() => ({ status: 200, body: { data: [], nextCursor: null } }))
    await server.client().events.list({ type: 'task.failed', from: undefined, limit: 5 })
    expect(server.received[0]?.url).toBe('/v1/events?type=task.failed&limit=5')
  })

  test('that deletes returns nothing', async () => {
    const server = await serve(() => ({ status: 204 }))
    expect(await server.client({ token: 't' }).webhooks.delete('w')).toBeUndefined()
    expect(server.received[0]).toMatchObject({ method: 'DELETE', body: undefined })
  })

  test('is sent with a token after the client was given one', async () => {
    const server = await serve(() => ({ status: 200, body: {} }))
    await server.client().with({ token: 'later' }).auth.me()
    expect(server.received[0]?.headers.authorization).toBe('Bearer later')
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
    ['GET /v1/auth/options', (c) => c.auth.options()],
    ['POST /v1/auth/oidc/session', (c) => c.auth.createOidcSession('c')],
    ['POST /v1/auth/logout', (c) => c.auth.logOut()],
    ['GET /v1/auth/sessions', (c) => c.auth.sessions()],
    ['DELETE /v1/auth/sessions/x', (c) => c.auth.endSession(id)],
    ['POST /v1/auth/password-reset', (c) => c.auth.requestPasswordReset('e')],
    [
      'POST /v1/auth/password-reset/confirm',
      (c) => c.auth.resetPassword({ token: 't', newPassword: 'p' }),
    ],
    ['POST /v1/auth/email-confirmation', (c) => c.auth.requestEmailConfirmation()],
    ['POST /v1/auth/email-confirmation/confirm', (c) => c.auth.confirmEmail('t')],
    ['GET /v1/members', (c) => c.members.list()],
    ['PATCH /v1/members/x', (c) => c.members.update(id, { role: 'viewer' })],
    ['DELETE /v1/members/x', (c) => c.members.remove(id)],
    ['POST /v1/invitations', (c) => c.invitations.create({ email: 'e' })],
    ['GET /v1/invitations', (c) => c.invitations.list()],
    ['DELETE /v1/invitations/x', (c) => c.invitations.delete(id)],
    ['POST /v1/keys', (c) => c.keys.create({ name: 'n', scopes: ['read'] })],
    ['GET /v1/keys', (c) => c.keys.list()],
    ['GET /v1/keys/x', (c) => c.keys.get(id)],
    ['DELETE /v1/keys/x', (c) => c.keys.revoke(id)],
    ['POST /v1/agents', (c) => c.agents.register({ displayName: 'd' })],
    ['GET /v1/agents', (c) => c.agents.list()],
    ['GET /v1/agents/me', (c) => c.agents.me()],
    ['GET /v1/agents/x', (c) => c.agents.get(id)],
    ['PATCH /v1/agents/x', (c) => c.agents.update(id, {})],
    ['DELETE /v1/agents/x', (c) => c.agents.deactivate(id)],
    ['POST /v1/agents/x/rotate-key', (c) => c.agents.rotateKey(id)],
    [
      'POST /v1/agents/x/identifiers',
      (c) => c.identifiers.claim(id, { type: 'domain', value: 'example.com' }),
    ],
    ['GET /v1/lookup?identifier=example.com', (c) => c.lookup.get('example.com')],
    ['POST /v1/lookup', (c) => c.lookup.getBatch(['example.com'])],
    ['GET /v1/agents/x/profile', (c) => c.agents.publicProfile(id)],
    ['GET /v1/agents/x/identifiers', (c) => c.identifiers.list(id)],
    ['POST /v1/agents/x/identifiers/x/verify', (c) => c.identifiers.verify(id, id)],
    ['DELETE /v1/agents/x/identifiers/x', (c) => c.identifiers.delete(id, id)],
    ['GET /v1/agents/x/score', (c) => c.score.get(id)],
    ['GET /v1/agents/x/score/history', (c) => c.score.getHistory(id)],
    ['GET /v1/agents/x/score/series', (c) => c.score.getSeries(id)],
    ['GET /v1/agents/x/score/explanation', (c) => c.score.explain(id)],
    ['GET /v1/agents/x/score/quarantined', (c) => c.score.getQuarantined(id)],
    ['GET /v1/agents/x/score/receipt', (c) => c.score.getReceipt(id)],
    ['GET /v1/receipts/keys', (c) => c.score.receiptKeys()],
    ['POST /v1/scores/batch', (c) => c.score.getBatch([id])],
    ['GET /v1/scores/classifications', (c) => c.score.classifications()],
    ['GET /v1/events', (c) => c.events.list()],
    ['GET /v1/agents/x/events', (c) => c.events.list(id)],
    ['GET /v1/agents/x/events/export', (c) => c.events.export(id)],
    ['POST /v1/agents/x/events', (c) => c.events.submit(id, { type: 'task.completed' })],
    ['POST /v1/agents/x/events/batch', (c) => c.events.report(id, { type: 'task.completed' })],
    ['GET /v1/platforms/x', (c) => c.events.platform(id)],
    ['GET /v1/platforms/me', (c) => c.events.ownPlatform()],
    ['POST /v1/events/x/appeal', (c) => c.events.appeal(id, 's')],
    ['POST /v1/credentials', (c) => c.credentials.issue({ agentId: id, type: 't', claims: {} })],
    ['GET /v1/credentials?agentId=x', (c) => c.credentials.list({ agentId: id })],
    ['GET /v1/credentials/x', (c) => c.credentials.get(id)],
    ['POST /v1/credentials/verify', (c) => c.credentials.verify(id)],
    [
      'POST /v1/agents/x/score/credential',
      (c) => c.credentials.issueScore(id, { atLeast: 'good' }),
    ],
    ['DELETE /v1/credentials/x', (c) => c.credentials.revoke(id, 'why')],
    ['POST /v1/webhooks', (c) => c.webhooks.create({ url: 'u', events: ['*'] })],
    ['GET /v1/webhooks', (c) => c.webhooks.list()],
    ['GET /v1/webhooks/x', (c) => c.webhooks.get(id)],
    ['POST /v1/webhooks/x/rotate-secret', (c) => c.webhooks.rotateSecret(id)],
    ['GET /v1/webhooks/x/deliveries', (c) => c.webhooks.deliveries(id)],
    ['GET /v1/webhooks/x/deliveries/x', (c) => c.webhooks.delivery(id, id)],
    ['POST /v1/webhooks/x/deliveries/x/redeliver', (c) => c.webhooks.redeliver(id, id)],
    ['POST /v1/webhooks/x/recover', (c) => c.webhooks.recover(id, 'then')],
    ['POST /v1/webhooks/x/test', (c) => c.webhooks.test(id)],
    ['POST /v1/webhooks/listeners', (c) => c.webhooks.listen({ events: ['*'] })],
    ['GET /v1/webhooks/listeners/x/notifications', (c) => c.webhooks.notifications(id)],
    ['PATCH /v1/webhooks/x', (c) => c.webhooks.update(id, { status: 'active' })],
    ['DELETE /v1/webhooks/x', (c) => c.webhooks.delete(id)],
    ['POST /v1/operator/platforms', (c) => c.operator.createPlatform({ name: 'n' })],
    ['GET /v1/operator/platforms', (c) => c.operator.listPlatforms()],
    ['PATCH /v1/operator/platforms/x', (c) => c.operator.updatePlatform(id, {})],
    ['POST /v1/operator/platforms/x/rotate-key', (c) => c.operator.rotatePlatformKey(id)],
    [
      'POST /v1/operator/platforms/x/discard',
      (c) => c.operator.discardReports(id, { reason: 'It leaked.' }),
    ],
    ['PATCH /v1/operator/owners/x', (c) => c.operator.setOwnerTier(id, 'free')],
    [
      'PATCH /v1/operator/agents/x',
      (c) => c.operator.setAgentStatus(id, { status: 'active', reason: 'r' }),
    ],
    ['PATCH /v1/operator/owners/x', (c) => c.operator.updateOwner(id, { status: 'suspended' })],
    ['POST /v1/operator/operators', (c) => c.operator.createOperator('n')],
    ['GET /v1/operator/operators', (c) => c.operator.operators()],
    ['POST /v1/operator/operators/x/rotate-key', (c) => c.operator.rotateOperatorKey(id)],
    ['DELETE /v1/operator/operators/x', (c) => c.operator.revokeOperator(id)],
    ['POST /v1/operator/password-resets', (c) => c.operator.createResetLink('e')],
    ['POST /v1/operator/invitations', (c) => c.operator.inviteOwner('e')],
    ['GET /v1/operator/invitations', (c) => c.operator.listInvitations()],
    ['DELETE /v1/operator/invitations/x', (c) => c.operator.deleteInvitation(id)],
    ['GET /v1/operator/owners', (c) => c.operator.listOwners()],
    ['GET /v1/operator/findings', (c) => c.operator.findings()],
    [
      'POST /v1/operator/reviews/bulk',
      (c) => c.operator.reviewAll({ decision: 'upheld', reason: 'r' }),
    ],
    ['GET /v1/operator/jobs', (c) => c.operator.jobs()],
    ['GET /v1/operator/backups', (c) => c.operator.backups()],
    ['GET /v1/operator/calibration', (c) => c.operator.calibration()],
    ['GET /v1/operator/resistance', (c) => c.operator.resistance()],
    ['GET /v1/operator/rules', (c) => c.operator.rules()],
    ['PATCH /v1/operator/rules/x', (c) => c.operator.updateRule(id, { mode: 'off' })],
    ['GET /v1/operator/keys', (c) => c.operator.signingKeys()],
    ['POST /v1/operator/keys/rotate', (c) => c.operator.rotateSigningKey()],
    ['POST /v1/operator/keys/x/revoke', (c) => c.operator.revokeSigningKey(id, 'why')],
    ['GET /v1/operator/issuing', (c) => c.operator.issuing()],
    ['PATCH /v1/operator/issuing', (c) => c.operator.haltIssuing('why')],
    ['PATCH /v1/operator/issuing', (c) => c.operator.resumeIssuing('why')],
    ['POST /v1/operator/credentials/reissue', (c) => c.operator.reissueCredentials()],
    ['GET /v1/operator/reviews', (c) => c.operator.reviews()],
    [
      'POST /v1/operator/events/x/review',
      (c) => c.operator.review(id, { decision: 'upheld', reason: 'r' }),
    ],
    ['GET /v1/operator/audit', (c) => c.operator.audit()],
    ['POST /v1/decisions', (c) => c.decisions.decide({ agentId: id })],
    ['GET /v1/decisions', (c) => c.decisions.list()],
    ['PUT /v1/policies/x', (c) => c.policies.put(id, {})],
    ['GET /v1/policies/x', (c) => c.policies.get(id)],
    ['DELETE /v1/policies/x', (c) => c.policies.delete(id)],
    ['GET /v1/policies', (c) => c.policies.list()],
    ['POST /v1/policies/x/backtest', (c) => c.policies.backtest(id, { from: 'f', to: 't' })],
    [
      'PUT /v1/platforms/me/mappings/x',
      (c) => c.mappings.put(id, { rules: [{}], sample: {}, sender: null }),
    ],
    ['GET /v1/platforms/me/mappings/x', (c) => c.mappings.get(id)],
    ['DELETE /v1/platforms/me/mappings/x', (c) => c.mappings.delete(id)],
    ['GET /v1/platforms/me/mappings', (c) => c.mappings.list()],
    ['POST /v1/platforms/me/mappings/x/dry-run', (c) => c.mappings.dryRun(id, { payload: {} })],
    ['POST /v1/mappings/x/events', (c) => c.mappings.submit(id, {})],
    ['POST /v1/test-data/platforms', (c) => c.testData.createPlatform()],
    ['DELETE /v1/test-data', (c) => c.testData.delete()],
    ['PUT /v1/watches/x', (c) => c.watches.add(id)],
    ['GET /v1/watches', (c) => c.watches.list()],
    ['DELETE /v1/watches/x', (c) => c.watches.remove(id)],
    ['POST /v1/agents/x/successor', (c) => c.agents.registerSuccessor(id)],
    ['POST /v1/agents/x/transfers', (c) => c.transfers.offer(id, { toOwnerEmail: 'e' })],
    ['GET /v1/transfers', (c) => c.transfers.list()],
    ['GET /v1/transfers/x', (c) => c.transfers.get(id)],
    ['POST /v1/transfers/x/accept', (c) => c.transfers.accept(id)],
    ['POST /v1/transfers/x/decline', (c) => c.transfers.decline(id)],
    ['DELETE /v1/transfers/x', (c) => c.transfers.withdraw(id)],
    ['GET /v1/agents/x/attestation', (c) => c.score.getAttestation(id)],
    ['POST /v1/auth/erasure', (c) => c.auth.erase('e')],
    ['POST /v1/agents/x/erasure', (c) => c.agents.erase(id)],
    ['GET /v1/agents/x/erasure', (c) => c.agents.erasure(id)],
    ['POST /v1/operator/owners/x/erasure', (c) => c.operator.eraseOwner(id, 'e')],
    ['GET /v1/operator/owners/x/erasure', (c) => c.operator.ownerErasure(id)],
  ]
  test.each(calls)('%s', async (route, call) => {
    const body = { data: [], nextCursor: null, errors: [], notFound: [], more: false }
    const lines = { 'content-type': 'application/x-ndjson' }
    const server = await serve(({ url }) =>
      url.endsWith('/export') ? { status: 200, headers: lines } : { status: 200, body },
    )
    await call(server.client())
    expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([route])
  })

  test('is an operation of the document, and every operation has a method', async () => {
    const { paths } = JSON.parse(await readFile('openapi.json', 'utf8'))
    const operations = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const called = calls.map(([route]) => operationOf(route, operations))
    const missing = operations.filter((one) => !called.includes(one) && !OTHERS.includes(one))
    expect(missing).toEqual([])
  })
})

/** What has another way, is read by other programs, or is tested with its own calls below. */
const OTHERS: readonly string[] = [
  // Aliases of `score.get` and `credentials.verify`.
  'GET /v1/scores/{id}',
  'POST /v1/credentials/{id}/verify',
  // For an agent's key: see the tests of reports.
  'POST /v1/events',
  'POST /v1/events/batch',
  // A generator, which asks for one page after the other.
  'GET /v1/operator/audit/export',
  // For exporters of OpenTelemetry.
  'POST /v1/otlp/v1/traces',
  // For senders that sign.
  'POST /v1/platforms/{id}/mappings/{name}/events',
  // For policy enforcement points and proxies.
  'GET /.well-known/authzen-configuration',
  'POST /access/v1/evaluation',
  'POST /access/v1/evaluations',
  'GET /v1/gate',
  // For verifiers, monitors and orchestrators.
  'GET /.well-known/did.json',
  'GET /did.json',
  'GET /.well-known/jwks.json',
  'GET /v1/status-lists/{list}/{purpose}',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  // Streams of any length: `standing owner export` and `standing agent export` write them to a file.
  'GET /v1/auth/export',
  'GET /v1/agents/{id}/export',
  'GET /v1/operator/owners/{id}/export',
  // Server-sent events, for what follows an agent live: fetch or any such client reads them.
  'GET /v1/agents/{id}/events/stream',
  // A picture, for pages.
  'GET /v1/agents/{id}/badge.svg',
  'GET /v1/badge.svg',
  // A stream: `standing import` sends it.
  'POST /v1/operator/imports',
]

function operationOf(route: string, operations: readonly string[]): string | undefined {
  const [asked = ''] = route.split('?')
  const isSame = (operation: string) =>
    new RegExp(`^${operation.replaceAll(/\{\w+\}/g, 'x')}$`).test(asked)
  return operations.find(isSame)
}

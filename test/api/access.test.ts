import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { newKey } from '../../src/auth/key-format.ts'
import { EVENT_STREAM_TYPE } from '../../src/http/event-stream.ts'
import { OPERATIONS } from '../support/operations.ts'
import { inTurns } from '../support/refusals.ts'
import { PASSWORD, startService } from '../support/service.ts'
import { CALLERS, type CallerName, createWorld } from '../support/world.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const world = await createWorld(at)
const before = await world.stored()
afterAll(() => world.close())

async function answer(url: string, init: RequestInit) {
  const response = await fetch(url, init)
  const { headers } = response
  const type = headers.get('content-type')
  if (type === EVENT_STREAM_TYPE) {
    // It goes on until one of the two ends it.
    response.body?.cancel().catch(() => {})
    return { status: response.status, body: {}, headers, text: '' }
  }
  const text = await response.text()
  const isJson = type?.startsWith('application/json')
  const body: object & { error?: { code: string } } = isJson ? JSON.parse(text) : {}
  return { status: response.status, body, headers, text }
}

/** A key, a token, a link that works once or the secret of a webhook, with its value. */
const SECRET = /"(apiKey|token|link|secret)":"/

/** What a permitted caller gets about things of another account: refused, but for these. */
const ABOUT_ANOTHERS: Readonly<Record<string, readonly number[]>> = {
  // The public part of any agent.
  'other agent: GET /v1/agents/{id}': [200],
  // The name of any platform.
  'other owner: GET /v1/platforms/{id}': [200],
  'other agent: GET /v1/platforms/{id}': [200],
  // Whether a credential holds is no secret.
  'other owner: POST /v1/credentials/{id}/verify': [200],
  // A list that names an agent of another account is refused as a whole.
  'other owner: POST /v1/webhooks': [400],
  'other owner: POST /v1/webhooks/listeners': [400],
}
const REFUSED = [403, 404]

/** What depends on how high a score is, or on what was decided before. */
const MAY_CONFLICT = [
  'POST /v1/agents/{id}/score/credential',
  'POST /v1/agents/{id}/successor',
  'POST /v1/events/{id}/appeal',
]

/** Examples of links that are no links, and of mails where the service sends none. */
const NEEDS_A_LINK: Readonly<Record<string, number>> = {
  'POST /v1/auth/password-reset': 403,
  'POST /v1/auth/password-reset/confirm': 400,
  'POST /v1/auth/email-confirmation': 403,
  'POST /v1/auth/email-confirmation/confirm': 400,
  'POST /v1/auth/oidc/session': 400,
  // Erasures of what the example names, which is nobody's; and none was asked for.
  'POST /v1/auth/erasure': 400,
  'POST /v1/agents/{id}/erasure': 400,
  'GET /v1/agents/{id}/erasure': 404,
  'POST /v1/operator/owners/{id}/erasure': 400,
  'GET /v1/operator/owners/{id}/erasure': 404,
}

/** Each account has names of its own for these. */
const OWN_NAMES = [
  // Any agent may be watched.
  '/v1/watches/{id}',
  '/v1/policies/{name}',
  '/v1/platforms/me/mappings/{name}',
  '/v1/mappings/{name}',
]

/** A gate refuses the request that no agent made. */
const REFUSES: Readonly<Record<string, number>> = { 'GET /v1/gate': 403 }

describe('every operation admits only its kinds of caller, and none of them to another account’s objects', () => {
  const cases = OPERATIONS.flatMap((operation) => CALLERS.map((caller) => ({ operation, caller })))

  test.each(CALLERS)('%s', async (caller) => {
    const wrong: string[] = []
    const own = cases.filter((one) => one.caller === caller)
    await inTurns(own, async ({ operation }) => {
      const kind = kindOf(caller)
      const isLetIn = (operation.callers as readonly string[]).includes(kind)
      const expected = isLetIn ? foreign(caller, operation) : refusedAs(kind)
      if (expected === null) {
        return
      }
      const { url, init } = world.request(operation)
      const headers = { 'content-type': 'application/json', ...world.headers[caller] }
      const { status, body } = await answer(url, { ...init, headers })
      if (!expected.includes(status) || (status >= 400 && !body.error)) {
        wrong.push(`${operation.name}: ${status} ${body.error?.code}, not ${expected}`)
      }
    })
    expect(wrong).toEqual([])
  })

  function kindOf(caller: CallerName): string {
    return caller.replace('other ', '')
  }

  function refusedAs(kind: string): readonly number[] {
    return kind === 'anonymous' ? [401] : [403]
  }

  /** A permitted caller, about things of another account; null where there are none. */
  function foreign(caller: CallerName, operation: (typeof OPERATIONS)[number]) {
    const { name, path, callers } = operation
    const { url, init } = world.request(operation)
    const isOwn = OWN_NAMES.some((start) => path.startsWith(start))
    const isShared = path.includes('{') || `${url}${init.body}`.includes(world.agentId)
    const isNamed = isShared && !isOwn
    const isAbout = isNamed && !(callers as readonly string[]).includes('anonymous')
    if (!caller.startsWith('other ') || !isAbout) {
      return null
    }
    return ABOUT_ANOTHERS[`${caller}: ${name}`] ?? REFUSED
  }

  test('an agent reads only the public part of another agent', async () => {
    const url = `${at.url}/v1/agents/${world.agentId}`
    const { body } = await answer(url, { headers: world.headers['other agent'] })
    expect(Object.keys(body).sort()).toEqual([
      'createdAt',
      'displayName',
      'id',
      'parentId',
      'status',
    ])
  })
})

describe('a credential', () => {
  const url = `${at.url}/v1/agents`
  const refused = { status: 401, body: { error: { code: 'AUTHENTICATION_REQUIRED' } } }

  /** The queries that are made meanwhile, by what they ask. */
  async function queriesDuring(work: () => Promise<void>): Promise<readonly string[]> {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await work()
    const texts = query.mock.calls.map(([config]) => (config as { text?: string }).text ?? '')
    query.mockRestore()
    return texts.filter((text) => /api_keys|owners/.test(text))
  }

  test('with a wrong checksum or form is refused without a database query', async () => {
    const good = newKey('agent')
    const wrong = [
      `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
      good.replace(/.(?=.{6}$)/, (c) => (c === 'A' ? 'B' : 'A')),
      good.toUpperCase(),
      `${good}0`,
      good.slice(0, -1),
      'avs_',
      `avx_${good.slice(4)}`,
      `avo_${'1'.repeat(32)}`,
      'a.b.c',
      'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
      `${'a'.repeat(4_000)}`,
    ]
    const queries = await queriesDuring(async () => {
      for (const key of wrong) {
        expect(await answer(url, { headers: { 'x-api-key': key } }), key).toMatchObject(refused)
        const authorization = `Bearer ${key}`
        expect(await answer(url, { headers: { authorization } }), key).toMatchObject(refused)
      }
    })
    expect(queries).toEqual([])
  })

  test('of the right form that does not exist costs one look-up', async () => {
    const key = newKey('platform')
    const queries = await queriesDuring(async () => {
      for (let i = 0; i < 3; i++) {
        expect(await answer(url, { headers: { 'x-api-key': key } })).toMatchObject(refused)
      }
    })
    expect(queries).toHaveLength(1)
  })

  test('that is a changed token is refused without a database query', async () => {
    const token = world.headers.owner.authorization?.slice('Bearer '.length) ?? ''
    const [head = '', payload = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const none = encode({ alg: 'none', typ: 'at+jwt' })
    const hmac = encode({ alg: 'HS256', typ: 'at+jwt' })
    const wrong = [
      `${head}.${payload}.`,
      `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${head}.${encode({ ...claims, sub: crypto.randomUUID() })}.${signature}`,
      `${head}.${encode({ ...claims, exp: claims.exp + 1 })}.${signature}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${hmac}.${payload}.${signature}`,
      `${head}..${signature}`,
      `${token}.`,
      `${token}=`,
    ]
    const queries = await queriesDuring(async () => {
      for (const one of wrong) {
        expect(
          await answer(url, { headers: { authorization: `Bearer ${one}` } }),
          one,
        ).toMatchObject(refused)
      }
    })
    expect(queries).toEqual([])
  })

  test.each(['Basic YTpi', 'Bearer', 'Bearer ', 'bearer a b', 'Token abc', 'a', ''])(
    'sent as Authorization: %j is refused, and the error says how to send it',
    async (authorization) => {
      const { status, body } = await answer(url, { headers: { authorization } })
      expect({ status, body }).toMatchObject(refused)
    },
  )

  test('beside a different one is refused; the same one twice is accepted', async () => {
    const { authorization = '' } = world.headers.owner
    const key = world.headers.agent['x-api-key'] ?? ''
    const both = { authorization, 'x-api-key': key }
    expect(await answer(url, { headers: both })).toMatchObject(refused)
    const same = { authorization: `Bearer ${key}`, 'x-api-key': key }
    expect((await answer(`${at.url}/v1/agents/me`, { headers: same })).status).toBe(200)
  })
})

test('refused requests leave nothing in the database', async () => {
  expect(await world.stored()).toEqual(before)
})

test('the examples of the document can be sent unchanged, and responses with a secret must not be stored', async () => {
  const wrong: string[] = []
  const withSecret: string[] = []
  const stored: string[] = []
  // What ends an agent or a token comes last.
  const ends = ['DELETE', 'POST /v1/operator/keys/{kid}/revoke', 'POST /v1/auth/password']
  const endOf = ({ name }: (typeof OPERATIONS)[number]) =>
    ends.findIndex((end) => name.startsWith(end))
  const ordered = [...OPERATIONS].sort((a, b) => endOf(a) - endOf(b))
  expect(PASSWORD).toBe('correct horse battery staple')
  for (const operation of ordered) {
    for (let example = 0; example < Math.max(1, operation.examples.length); example++) {
      const { url, init } = world.request(operation, { example })
      const { status, body: answered, headers, text } = await answer(url, init)
      if (headers.get('x-content-type-options') !== 'nosniff') {
        wrong.push(`${operation.name}: a browser may guess its type`)
      }
      if (SECRET.test(text)) {
        withSecret.push(operation.name)
        stored.push(...(headers.get('cache-control') === 'no-store' ? [] : [operation.name]))
      }
      const isFine =
        status < 300 ||
        (status === 409 && MAY_CONFLICT.includes(operation.name)) ||
        status === (NEEDS_A_LINK[operation.name] ?? REFUSES[operation.name])
      if (!isFine) {
        wrong.push(`${operation.name}: ${status} ${JSON.stringify(answered)}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(withSecret).toEqual(expect.arrayContaining(['POST /v1/agents', 'POST /v1/webhooks']))
  expect(stored).toEqual([])
})

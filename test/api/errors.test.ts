import type pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { STATUS } from '../../src/http/errors.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { document } from '../support/conformance.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, newOwner, PASSWORD, startService } from '../support/service.ts'

// Faults are provoked on purpose: what the log has of them would only hide what nobody meant.
const at = await startService({
  STANDING_EVENTS_PER_AGENT_HOUR: '1',
  LOG_LEVEL: 'silent',
})
const admin = createPool({ url: at.database.url }, { max: 2 })
afterAll(() => admin.end())

type Answered = Awaited<ReturnType<typeof send>>

const TIERS = `${at.url}/v1/scores/classifications`
const DONE = { type: 'task.completed', data: {} }

/** Every code, and a request that is refused with it. */
const PROVOKED: Readonly<Record<string, () => Promise<Answered>>> = {
  VALIDATION_ERROR: () => send(`${at.url}/v1/auth/register`, { json: { email: 'nobody' } }),
  AUTHENTICATION_REQUIRED: () => send(`${at.url}/v1/agents`),
  async FORBIDDEN() {
    const { agent } = await newAgent(at)
    return send(`${at.url}/v1/agents`, { key: agent.apiKey })
  },
  NOT_FOUND: () => send(`${at.url}/v1/scores/${crypto.randomUUID()}`),
  METHOD_NOT_ALLOWED: () => send(TIERS, { method: 'DELETE' }),
  async CONFLICT() {
    const { email } = await newOwner(at)
    return send(`${at.url}/v1/auth/register`, { json: { email, password: PASSWORD } })
  },
  async IDEMPOTENCY_IN_PROGRESS() {
    const { owner, token } = await newOwner(at)
    const locked = await lockOwner(owner.id)
    const register = () =>
      send(`${at.url}/v1/agents`, { key: token, json: { displayName: 'a' }, headers: KEY })
    const both = [register(), register()]
    const first = await Promise.race(both)
    await locked.release()
    await Promise.all(both)
    return first
  },
  async IDEMPOTENCY_KEY_REUSED() {
    const { token } = await newOwner(at)
    const register = (displayName: string) =>
      send(`${at.url}/v1/agents`, { key: token, json: { displayName }, headers: KEY })
    await register('one')
    return register('another')
  },
  PAYLOAD_TOO_LARGE: () =>
    send(`${at.url}/v1/scores/batch`, { json: { agentIds: ['a'.repeat(256 * 1024)] } }),
  UNSUPPORTED_MEDIA_TYPE: () =>
    send(`${at.url}/v1/scores/batch`, { json: {}, headers: { 'content-type': 'text/plain' } }),
  async RATE_LIMIT_EXCEEDED() {
    const { agent } = await newAgent(at)
    const report = () => send(`${at.url}/v1/events`, { key: agent.apiKey, json: DONE })
    expect((await report()).status).toBe(201)
    return report()
  },
  async INTERNAL_ERROR() {
    const { token } = await newOwner(at)
    await admin.query('alter table webhooks rename to misplaced')
    const answer = await send(`${at.url}/v1/webhooks`, { key: token })
    await admin.query('alter table misplaced rename to webhooks')
    return answer
  },
  async SERVICE_UNAVAILABLE() {
    const { token } = await newOwner(at)
    const unplugged = await unplug()
    const answer = await send(`${at.url}/v1/webhooks`, { key: token })
    await unplugged.plug()
    return answer
  },
}

function answerOf(code: string): Promise<Answered> {
  const provoke = PROVOKED[code]
  if (!provoke) {
    throw new Error(`nothing here is refused with ${code}`)
  }
  return provoke()
}

const KEY = { 'idempotency-key': 'one-of-its-own' }

/** Keeps registrations of agents of this owner waiting. */
async function lockOwner(ownerId: string) {
  const client = await admin.connect()
  await client.query('begin')
  await client.query('select 1 from owners where id = $1 for update', [ownerId])
  return {
    async release() {
      await client.query('rollback')
      client.release()
    },
  }
}

/** Takes the database away: no connection is left, and none is taken. */
async function unplug() {
  const name = new URL(at.database.url).pathname.slice(1)
  const url = new URL(at.database.url)
  url.pathname = '/postgres'
  const elsewhere: pg.Pool = createPool({ url: url.href }, { max: 1 })
  await elsewhere.query(`alter database ${name} allow_connections false`)
  await elsewhere.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
    [name],
  )
  return {
    async plug() {
      await elsewhere.query(`alter database ${name} allow_connections true`)
      await elsewhere.end()
      await eventually(async () => expect((await send(`${at.url}/readyz`)).status).toBe(200))
    },
  }
}

const documented = codesOf(document.components.schemas.Error)

test('every documented error code is known, and each one is provoked here', () => {
  expect(documented.sort()).toEqual(Object.keys(STATUS).sort())
  expect(Object.keys(PROVOKED).sort()).toEqual(documented)
})

function codesOf(schema: unknown): string[] {
  const { code } = (
    schema as { properties: { error: { properties: { code: { enum: string[] } } } } }
  ).properties.error.properties
  return [...code.enum]
}

describe('an error has its status, in the envelope, and links to its page:', () => {
  test.each(documented)('%s', async (code) => {
    const { status, headers, body } = await answerOf(code)
    expect([status, body.error.code]).toEqual([STATUS[code as keyof typeof STATUS], code])
    expect(Object.keys(body)).toEqual(['error'])
    expect(Object.keys(body.error).sort()).toEqual(['code', 'details', 'message'])
    const { details, message } = body.error
    expect(message).not.toBe('')
    expect(details.requestId).toBe(headers.get('x-request-id'))
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(details.docUrl).toBe(`/docs/errors/${code}`)
    const page = await fetch(at.url + details.docUrl)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain(`<h1>${code.replaceAll('_', '_<wbr>')}</h1>`)
  })
})

describe('an error has what its code promises:', () => {
  test('issues name every problem, with path, code and message', async () => {
    const { body } = await answerOf('VALIDATION_ERROR')
    const { issues } = body.error.details
    expect(issues.map(({ path }: { path: string }) => path)).toEqual(['email', 'password'])
    for (const issue of issues) {
      expect(Object.keys(issue).sort()).toEqual(['code', 'message', 'path'])
    }
  })

  test('an issue has a code for what is wrong with the value, not for how that was found', async () => {
    const { agent } = await newAgent(at)
    const answers = [
      await send(`${at.url}/v1/agents/${agent.id}/score/history?limit=0`),
      await send(`${at.url}/v1/events`, { key: agent.apiKey, json: { type: 'task.invented' } }),
      await send(`${at.url}/v1/events`, {
        key: agent.apiKey,
        json: { type: 'payment.completed', data: { currency: 'XYZ' } },
      }),
    ]
    for (const { body } of answers) {
      const { issues } = body.error.details as { issues: { code: string }[] }
      expect(issues.map(({ code }) => code)).toEqual(['invalid_value'])
    }
  })

  test('a value of another type has no problem but its type', async () => {
    const { token } = await newOwner(at)
    const issues = [
      { path: 'scopes', code: 'invalid_type', message: 'must be a list, not a string' },
    ]
    expect(
      await send(`${at.url}/v1/keys`, { key: token, json: { name: 'k', scopes: 'read' } }),
    ).toMatchObject({ body: { error: { details: { issues } } } })
  })

  test('a time whose + was read as a space names the cause', async () => {
    const { agent } = await newAgent(at)
    const path = `${at.url}/v1/agents/${agent.id}/score/history`
    const { body } = await send(`${path}?from=2026-06-15T11:00:00+02:00`)
    expect(body.error.message).toBe(
      'query.from: must be an RFC 3339 time such as 2026-06-15T11:00:00.000Z; ' +
        'in a query, the + of an offset is written %2B',
    )
    expect((await send(`${path}?from=2026-06-15T11:00:00%2B02:00`)).status).toBe(200)
  })

  test('a 401 says how to authenticate, and a 405 which methods the path accepts', async () => {
    const refused = await answerOf('AUTHENTICATION_REQUIRED')
    expect(refused.headers.get('www-authenticate')).toBe('Bearer, ApiKey')
    const method = await answerOf('METHOD_NOT_ALLOWED')
    expect(method.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(method.body.error.details.allow).toBe('GET, HEAD, OPTIONS')
  })

  test.each(['RATE_LIMIT_EXCEEDED', 'IDEMPOTENCY_IN_PROGRESS', 'SERVICE_UNAVAILABLE'])(
    '%s says when to retry',
    async (code) => {
      const { headers } = await answerOf(code)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    },
  )

  test('a 429 is not stored: a repeat with the same key runs again', async () => {
    const { agent } = await newAgent(at)
    const report = (headers: Record<string, string>) =>
      send(`${at.url}/v1/events`, { key: agent.apiKey, json: DONE, headers })
    await report({})
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await report(KEY)
      expect([status, headers.get('idempotent-replayed')]).toEqual([429, null])
    }
  })

  test('issues name the first hundred problems of a body with very many', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`field${i}`, i]))
    const { body } = await send(`${at.url}/v1/auth/register`, { json: unknown })
    const { issues } = body.error.details as { issues: { path: string; code: string }[] }
    expect(issues.map(({ path }) => path)).toEqual([
      'email',
      'password',
      ...Array.from({ length: 98 }, (_, i) => `field${i}`),
    ])
  })

  test('issues name the first hundred problems of a query with very many', async () => {
    const names = Array.from({ length: 2_000 }, (_, i) => `a${i}`)
    const { status, body } = await send(`${at.url}/v1/lookup?${names.join('&')}`)
    expect(status).toBe(400)
    const { issues } = body.error.details as { issues: { path: string }[] }
    expect(issues.map(({ path }) => path)).toEqual([
      'query.identifier',
      ...names.slice(0, 99).map((name) => `query.${name}`),
    ])
  })

  test('a fault of the service shows no details', async () => {
    const { body, text } = await answerOf('INTERNAL_ERROR')
    expect(Object.keys(body.error.details).sort()).toEqual(['docUrl', 'requestId'])
    expect(text).not.toMatch(/webhooks|relation|select|postgres|\.ts|stack/i)
  })

  test('pages, also those about errors, are served while the database is unavailable', async () => {
    const unplugged = await unplug()
    const { error } = (await send(`${at.url}/v1/agents`)).body
    const page = await fetch(at.url + error.details.docUrl)
    const icon = await fetch(`${at.url}/favicon.ico`)
    await unplugged.plug()
    expect(error.code).toBe('SERVICE_UNAVAILABLE')
    expect([page.status, icon.status]).toEqual([200, 204])
    expect(page.headers.get('ratelimit-policy')).toBe('"rpm";q=100;w=60')
  })

  test('readiness says that the database is unavailable, and not where it is', async () => {
    const unplugged = await unplug()
    // Asked for often, readiness is read again only after a while.
    const ready = await eventually(async () => {
      const answer = await send(`${at.url}/readyz`)
      expect(answer.status).toBe(503)
      return answer
    })
    const health = await send(`${at.url}/healthz`)
    await unplugged.plug()
    expect([health.status, health.body]).toEqual([200, { status: 'ok' }])
    expect(ready.body.error.code).toBe('SERVICE_UNAVAILABLE')
    expect(ready.body.error.details.reason).toMatch(/^the database cannot be reached( \(\w+\))?$/)
    expect(ready.headers.get('retry-after')).toBe('1')
    expect((await send(`${at.url}/readyz`)).body).toEqual({ status: 'ok' })
  })
})

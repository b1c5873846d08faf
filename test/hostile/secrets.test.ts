import { expect, test } from 'vitest'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { send } from '../support/http.ts'
import { newAgent, newOwner, PASSWORD, startService } from '../support/service.ts'

const at = await startService()

test('the address of a webhook is encrypted in the database, and readable by its owner', async () => {
  const { client } = await newOwner(at)
  const url = 'https://hooks.example.com/services/T0/a-secret-in-the-path'
  const changed = 'https://hooks.example.com/services/T1/another-secret'
  const { id } = await client.webhooks.create({ url, events: ['*'] })
  expect((await client.webhooks.get(id)).url).toBe(url)
  expect((await client.webhooks.update(id, { url: changed })).url).toBe(changed)
  const { data } = await client.webhooks.list()
  expect(data.map((webhook) => webhook.url)).toEqual([changed])
  const pool = createPool({ url: at.database.url }, { max: 1 })
  const { rows } = await pool.query("select encode(sealed_url, 'escape') as t, w.* from webhooks w")
  await pool.end()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toMatch(/hooks\.example|secret-in|another-secret/)
})

test('an error about a body shows none of its content', async () => {
  for (const body of [
    '{"password":hunter2hunter2}',
    '{"password":"hunter2hunter2" "x":1}',
    '{"password":"hunter2hunter2"',
    '{"pin":99999999999999999999}',
  ]) {
    const response = await fetch(`${at.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const text = await response.text()
    expect(response.status).toBe(400)
    expect(text).not.toMatch(/hunter2|999999/)
  }
})

test('an error about a value names the field, and does not show the value', async () => {
  const { token } = await newOwner(at)
  const url = 'https://hooks.example.com/'
  const cases: readonly (readonly [path: string, json: unknown, field: string])[] = [
    ['/v1/auth/register', { email: 'ada@example.com', password: 'hunter2' }, 'password'],
    ['/v1/auth/register', { email: 'hunter2hunter2', password: PASSWORD }, 'email'],
    ['/v1/auth/login', { email: 'ada@example.com', password: 999999 }, 'password'],
    ['/v1/webhooks', { url: 'https://ada:hunter2@example.com/', events: ['*'] }, 'url'],
    ['/v1/webhooks', { url: 'https://10.0.0.1/hunter2', events: ['*'] }, 'url'],
    ['/v1/webhooks', { url, events: ['hunter2'] }, 'events.0'],
    ['/v1/webhooks', { url, events: ['*'], secret: 'hunter2' }, 'secret'],
  ]
  for (const [path, json, field] of cases) {
    const { status, body, text } = await send(at.url + path, { key: token, json })
    const paths = body.error.details.issues.map((issue: { path: string }) => issue.path)
    expect([path, status, paths]).toEqual([path, 400, [field]])
    expect(text).not.toMatch(/hunter2|999999/)
  }
})

test('responses with a key or a token must not be stored by a cache or sniffed by a browser', async () => {
  const { owner, token } = await newOwner(at)
  const { agent } = await newAgent(at)
  const json = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })
  const requests: readonly (readonly [string, RequestInit])[] = [
    ['/v1/auth/login', json({ email: owner.email, password: PASSWORD })],
    ['/v1/agents', json({ displayName: 'a' })],
    ['/v1/auth/me', {}],
    ['/v1/agents/me', { headers: { 'x-api-key': agent.apiKey } }],
  ]
  for (const [path, init] of requests) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(at.url + path, { ...init, headers: init.headers ?? headers })
    expect(response.status).toBeLessThan(300)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('a service reached by https makes browsers use only https', async () => {
  const PORT = String(await freePort())
  await at.node({ PORT, STANDING_BASE_URL: 'https://standing.example.com' })
  for (const path of ['/healthz', '/', '/v1/scores/classifications', '/nothing']) {
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`)
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
  }
  const response = await fetch(`${at.url}/healthz`)
  expect(response.headers.get('strict-transport-security')).toBeNull()
})

import { expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { freePort } from '../support/ports.ts'
import { newAgent, newOwner, PASSWORD, startService } from '../support/service.ts'

const at = await startService()

test('the address of a webhook is unreadable in the database, and readable for its owner', async () => {
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

test('an error about a body shows nothing of it', async () => {
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

test('answers that hold a key or a token are stored by no cache and sniffed by no browser', async () => {
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

test('a service that is reached by https has browsers use nothing else', async () => {
  const PORT = String(await freePort())
  await at.node({ PORT, STANDING_BASE_URL: 'https://standing.example.com' })
  for (const path of ['/healthz', '/', '/v1/scores/classifications', '/nothing']) {
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`)
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
  }
  const response = await fetch(`${at.url}/healthz`)
  expect(response.headers.get('strict-transport-security')).toBeNull()
})

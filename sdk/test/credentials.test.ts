import { describe, expect, it as test } from 'vitest'
import { type EventInput, Standing, type StandingOptions } from '../src/index.ts'
import { serve } from './server.ts'

const JWT = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmVk'

const EVENT: EventInput = { type: 'task.completed' }

describe('a credential', () => {
  const given: readonly (readonly [
    string,
    Partial<StandingOptions>,
    (client: Standing) => unknown,
  ])[] = [
    ['an operator’s key as apiKey', { apiKey: 'avo_o' }, (c) => c.operator.listPlatforms()],
    ['an operator’s key as token', { token: 'avo_o' }, (c) => c.operator.rules()],
    ['a platform’s key as token', { token: 'avp_p' }, (c) => c.events.submit('a', EVENT)],
    ['an agent’s key as operatorKey', { operatorKey: 'avs_a' }, (c) => c.agents.me()],
    ['an owner’s JWT as apiKey', { apiKey: JWT }, (c) => c.agents.list()],
    ['a key with the line end of its file', { apiKey: 'avs_a\n' }, (c) => c.agents.me()],
  ]
  test.each(given)('is sent in the form of its kind: %s', async (_name, options, call) => {
    const server = await serve(() => ({ status: 200, body: { data: [], nextCursor: null } }))
    const client = server.client(options)
    await call(client)
    await client.score.get('a')
    const [credential = ''] = Object.values(options)
    for (const { headers } of server.received) {
      if (credential === JWT) {
        expect(headers.authorization).toBe(`Bearer ${JWT}`)
      } else {
        expect(headers['x-api-key']).toBe(String(credential).trim())
      }
    }
  })

  test('decides the route of a report, whichever option it was given in', async () => {
    const server = await serve(() => ({ status: 201, body: { id: 'a' } }))
    await server.client({ token: 'avs_a' }).events.submit('a', EVENT)
    await server.client({ token: 'avp_p' }).events.submit('a', EVENT)
    expect(server.received.map(({ url }) => url)).toEqual([
      '/v1/agents/me',
      '/v1/events',
      '/v1/agents/a/events',
    ])
  })

  test('of another kind than a call needs is sent anyway, and the service says what it needs', async () => {
    const server = await serve(() => ({ status: 200, body: { data: [], nextCursor: null } }))
    await server.client({ token: JWT }).operator.rules()
    await server.client({ apiKey: 'avp_p' }).agents.list()
    const [asOwner, asPlatform] = server.received.map(({ headers }) => headers)
    expect(asOwner?.authorization).toBe(`Bearer ${JWT}`)
    expect(asPlatform?.['x-api-key']).toBe('avp_p')
  })

  test('is not sent if it is missing, or with an anonymous call', async () => {
    const server = await serve(() => ({ status: 200, body: { data: [], nextCursor: null } }))
    await server.client().operator.rules()
    await server.client({ apiKey: 'avs_a' }).auth.login({ email: 'e', password: 'p' })
    for (const { headers } of server.received) {
      expect([headers['x-api-key'], headers.authorization]).toEqual([undefined, undefined])
    }
  })

  test('that is missing does not turn a question about test data into one about live data', async () => {
    const server = await serve(() => ({ status: 200, body: { data: [], nextCursor: null } }))
    const client = server.client({ mode: 'test' })
    await client.score.get('a')
    await client.agents.list()
    await client.auth.login({ email: 'e', password: 'p' })
    const modes = server.received.map(({ headers }) => headers['standing-mode'])
    // An account has one set of people for both modes.
    expect(modes).toEqual(['test', 'test', undefined])
  })

  test('of an unknown form, or with another one, is refused before any call', () => {
    const baseUrl = 'http://127.0.0.1:1'
    expect(() => new Standing({ baseUrl, apiKey: '' })).toThrow('apiKey is empty')
    expect(() => new Standing({ baseUrl, apiKey: 'avp_…' })).toThrow('apiKey is empty, or has')
    expect(() => new Standing({ baseUrl, apiKey: 'avo_1', operatorKey: 'avo_2' })).toThrow(
      'apiKey and operatorKey are two different operatorKey (avo_)',
    )
    expect(new Standing({ baseUrl, apiKey: 'avo_1', operatorKey: 'avo_1' })).toBeDefined()
  })
})

import { describe, expect, it } from 'vitest'
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
  it.each(given)('is sent as what it is: %s', async (_name, options, call) => {
    const bench = await serve(() => ({ status: 200, body: { data: [], nextCursor: null } }))
    const client = bench.client(options)
    await call(client)
    await client.score.get('a')
    const [credential = ''] = Object.values(options)
    for (const { headers } of bench.received) {
      if (credential === JWT) expect(headers.authorization).toBe(`Bearer ${JWT}`)
      else expect(headers['x-api-key']).toBe(String(credential).trim())
    }
  })

  it('decides the way of a report, whatever option it was given in', async () => {
    const bench = await serve(() => ({ status: 201, body: { id: 'e' } }))
    await bench.client({ token: 'avs_a' }).events.submit('a', EVENT)
    await bench.client({ token: 'avp_p' }).events.submit('a', EVENT)
    expect(bench.received.map(({ url }) => url)).toEqual(['/v1/events', '/v1/agents/a/events'])
  })

  it('that a call does not go with is sent all the same: the service says what it wants', async () => {
    const bench = await serve(() => ({ status: 200, body: { data: [], nextCursor: null } }))
    await bench.client({ token: JWT }).operator.rules()
    await bench.client({ apiKey: 'avp_p' }).agents.list()
    const [asOwner, asPlatform] = bench.received.map(({ headers }) => headers)
    expect(asOwner?.authorization).toBe(`Bearer ${JWT}`)
    expect(asPlatform?.['x-api-key']).toBe('avp_p')
  })

  it('is not asked for where none is given, nor where the call goes with none', async () => {
    const bench = await serve(() => ({ status: 200, body: {} }))
    await bench.client().operator.rules()
    await bench.client({ apiKey: 'avs_a' }).auth.login({ email: 'e', password: 'p' })
    for (const { headers } of bench.received) {
      expect([headers['x-api-key'], headers.authorization]).toEqual([undefined, undefined])
    }
  })

  it('that is none, or one of two, is refused before any call', () => {
    const baseUrl = 'http://127.0.0.1:1'
    expect(() => new Standing({ baseUrl, apiKey: '' })).toThrow('apiKey is empty')
    expect(() => new Standing({ baseUrl, apiKey: 'avp_…' })).toThrow('apiKey is empty, or holds')
    expect(() => new Standing({ baseUrl, apiKey: 'avo_1', operatorKey: 'avo_2' })).toThrow(
      'apiKey and operatorKey are two different operatorKey (avo_)',
    )
    expect(new Standing({ baseUrl, apiKey: 'avo_1', operatorKey: 'avo_1' })).toBeDefined()
  })
})

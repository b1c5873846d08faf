import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { newAgent, newPlatform, startService } from '../../test/support/service.ts'
import { type Decision, requireTrust, Standing, type TrustOptions } from '../src/index.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { client } = await newPlatform(at)
const { agent } = await newAgent(at)

const agentOf: TrustOptions['agentOf'] = ({ headers }) => headers.get('x-verified-agent')
const POLICY = { client, agentOf, min: 100, unknown: 'deny' } as const

/** What a server answers to an agent; null for a request that names none. */
type Ask = (agentId: string | null) => Promise<{ status: number; body: unknown }>

function asking(send: (headers: Record<string, string>) => Promise<Response>): Ask {
  return async (agentId) => {
    const response = await send(agentId === null ? {} : { 'x-verified-agent': agentId })
    return { status: response.status, body: await response.json() }
  }
}

async function listening(server: Server): Promise<Ask> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return asking((headers) => fetch(`http://127.0.0.1:${port}/`, { headers }))
}

/** The same small server by each framework. It answers the score that the decision went by. */
const SERVERS: Readonly<Record<string, (options: TrustOptions) => Promise<Ask>>> = {
  async hono(options) {
    const app = new Hono<{ Variables: { trust: Decision | null } }>()
    app.use(requireTrust(options).hono)
    app.get('/', (c) => c.json({ score: c.get('trust')?.score }))
    return asking(async (headers) => app.request('/', { headers }))
  },
  async express(options) {
    const app = express()
    app.use(requireTrust(options).express)
    app.get('/', (req, res) => {
      res.json({ score: (req as { trust?: Decision }).trust?.score })
    })
    return listening(createServer(app))
  },
  async fastify(options) {
    const app = fastify()
    app.addHook('onRequest', requireTrust(options).fastify)
    app.get('/', async (request) => ({ score: (request as { trust?: Decision }).trust?.score }))
    await app.ready()
    onTestFinished(() => app.close())
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    return asking((headers) => fetch(`http://127.0.0.1:${port}/`, { headers }))
  },
  async fetch(options) {
    const handle = requireTrust(options).fetch((_, trust) => Response.json({ score: trust?.score }))
    return asking((headers) => handle(new Request('http://shop.example.com/', { headers })))
  },
}

describe.each(Object.entries(SERVERS))('with %s', (_, start) => {
  test('requests of trusted agents are served with the decision, and others are refused', async () => {
    const ask = await start(POLICY)
    expect(await ask(agent.id)).toEqual({ status: 200, body: { score: 100 } })
    for (const nobody of [null, 'nobody.example.com', crypto.randomUUID()]) {
      const { status, body } = await ask(nobody)
      expect([status, body]).toMatchObject([
        403,
        { error: { code: 'FORBIDDEN', details: { reasons: [{ code: 'agent_unknown' }] } } },
      ])
    }
    const strict = await start({ ...POLICY, min: 900 })
    expect(await strict(agent.id)).toMatchObject({
      status: 403,
      body: { error: { message: 'the score of 100 is below 900' } },
    })
  })

  test('it fails closed or open while Standing is unavailable, as configured', async () => {
    const away = new Standing({ baseUrl: 'http://127.0.0.1:1', apiKey: 'avp_x', retriesMax: 0 })
    const closed = await start({ ...POLICY, client: away })
    expect(await closed(agent.id)).toMatchObject({
      status: 503,
      body: { error: { code: 'SERVICE_UNAVAILABLE' } },
    })
    const open = await start({ ...POLICY, client: away, whenAway: 'allow' })
    expect(await open(agent.id)).toMatchObject({ status: 200 })
    // A request that names no agent is refused by the policy, without a request to the service.
    expect(await open(null)).toMatchObject({ status: 403 })
  })
})

describe('the check', () => {
  const handler = (options: Partial<TrustOptions>) => {
    const handle = requireTrust({ ...POLICY, ...options }).fetch(() => new Response('served'))
    return (agentId: string) =>
      handle(new Request('http://x/', { headers: { 'x-verified-agent': agentId } }))
  }

  test('asks once for many requests while a decision is fresh', async () => {
    const decide = vi.spyOn(client.decisions, 'decide')
    onTestFinished(() => decide.mockRestore())
    const ask = handler({})
    await Promise.all(Array.from({ length: 20 }, () => ask(agent.id)))
    await ask(agent.id)
    expect(decide).toHaveBeenCalledTimes(1)
    const uncached = handler({ cacheMs: 0 })
    await uncached(agent.id)
    await uncached(agent.id)
    expect(decide).toHaveBeenCalledTimes(3)
  })

  test('waits for a slow answer no longer than its limit', async () => {
    const silent = createServer(() => {})
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const slow = new Standing({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'avp_x' })
    expect((await handler({ client: slow, timeoutMs: 100 })(agent.id)).status).toBe(503)
  })

  test('waits as long as it takes where its limit is infinite', async () => {
    const ask = handler({ timeoutMs: Number.POSITIVE_INFINITY })
    expect((await ask(agent.id)).status).toBe(200)
  })

  test('refuses an agent to review unless configured otherwise, and uses stored policies', async () => {
    await client.policies.put('unsure', { minScore: 0, minConfidence: 'high' })
    const stored = { client, agentOf, policy: 'unsure' }
    const with_ = (more: object) => {
      const handle = requireTrust({ ...stored, ...more }).fetch(() => new Response('served'))
      const headers = { 'x-verified-agent': agent.id }
      return handle(new Request('http://x/', { headers }))
    }
    expect((await with_({})).status).toBe(403)
    expect((await with_({ review: 'allow' })).status).toBe(200)
  })

  test('throws on invalid settings, and lets no request pass', async () => {
    const wrong = new Standing({ baseUrl: at.url, apiKey: 'avp_wrong', retriesMax: 0 })
    const options = { client: wrong, whenAway: 'allow' } as const
    await expect(handler(options)(agent.id)).rejects.toMatchObject({
      code: 'AUTHENTICATION_REQUIRED',
    })
    await expect(handler({ policy: 'nowhere' })(agent.id)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, it as test } from 'vitest'
import { Standing, StandingError, type WaitInfo } from '../src/index.ts'
import { RETRY_POLICY, retryDelay } from '../src/retry.ts'
import { type Answer, refusal, serve } from './server.ts'

const AGENT = { id: 'a', displayName: 'one' }
const drop: Answer = (response) => void response.destroy()
const unavailable: Answer = { status: 503, body: refusal('SERVICE_UNAVAILABLE') }

async function failure(call: Promise<unknown>): Promise<StandingError> {
  const error = await call.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StandingError)
  return error as StandingError
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

describe('a call that fails', () => {
  const passing: readonly (readonly [string, Answer])[] = [
    ['the connection breaks', drop],
    [
      'the answer breaks off',
      (response) => void response.writeHead(200).write('{', () => response.destroy()),
    ],
    ['a gateway fails', { status: 502, body: '<html>' }],
    ['the service is overloaded', unavailable],
    ['a gateway times out', { status: 504 }],
    [
      'the first attempt is still running',
      { status: 409, body: refusal('IDEMPOTENCY_IN_PROGRESS') },
    ],
  ]
  test.each(passing)('is repeated when %s', async (_name, answer) => {
    const server = await serve((_request, n) => (n < 2 ? answer : { status: 200, body: AGENT }))
    expect(await server.client().agents.get('a')).toEqual(AGENT)
    expect(server.received).toHaveLength(3)
    expect(server.waits).toHaveLength(2)
  })

  test.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'AUTHENTICATION_REQUIRED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [422, 'IDEMPOTENCY_KEY_REUSED'],
    [500, 'INTERNAL_ERROR'],
  ])('is not repeated on %i %s', async (status, code) => {
    const server = await serve(() => ({ status, body: refusal(code) }))
    expect(await failure(server.client().agents.get('a'))).toMatchObject({ status, code })
    expect(server.received).toHaveLength(1)
  })

  test('is repeated for ten seconds, or for as long and as often as configured', async () => {
    const server = await serve(() => unavailable)
    await failure(server.client().agents.get('a'))
    expect(sum(server.waits)).toBeGreaterThanOrEqual(9_000)
    expect(sum(server.waits)).toBeLessThan(12_000)
    const { length } = server.received
    await failure(server.client({ retryForMs: 1 }).agents.get('a'))
    expect(server.received).toHaveLength(length + 2)
    await failure(server.client({ retriesMax: 3 }).agents.get('a'))
    expect(server.received).toHaveLength(length + 6)
    await failure(server.client({ retriesMax: 0 }).agents.get('a'))
    expect(server.received).toHaveLength(length + 7)
  })

  test('succeeds after the service was unavailable for nine seconds', async () => {
    // A port without a server, until the client has waited for nine seconds in all.
    const server = createServer((_request, response) => response.end(JSON.stringify(AGENT)))
    const listen = (port: number) =>
      new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    await listen(0)
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    onTestFinished(() => void server.close())
    const waits: number[] = []
    const wait = async (ms: number) => {
      waits.push(ms)
      if (!server.listening && sum(waits) > 9_000) {
        await listen(port)
      }
    }
    const client = new Standing({ baseUrl: `http://127.0.0.1:${port}`, wait })
    expect(await client.agents.get('a')).toEqual(AGENT)
    expect(waits.length).toBeGreaterThan(5)
  })

  test('waits at least as long as a 429 asks', async () => {
    const limited = { status: 429, headers: { 'retry-after': '42' } }
    const server = await serve((_request, n) => (n === 0 ? limited : { status: 200, body: AGENT }))
    await server.client().agents.get('a')
    expect(server.waits).toHaveLength(1)
    expect(server.waits[0]).toBeGreaterThanOrEqual(42_000)
  })

  test('waits at most 65 seconds for a Retry-After', async () => {
    const limited = { status: 429, headers: { 'retry-after': '30' } }
    const server = await serve(() => limited)
    await failure(server.client().agents.get('a'))
    expect(server.received).toHaveLength(3)
    await failure(server.client({ retryAfterMaxMs: 29_999 }).agents.get('a'))
    expect(server.received).toHaveLength(4)
  })

  test('does not wait for a quota that resets tomorrow', async () => {
    const body = refusal('RATE_LIMIT_EXCEEDED', 'spent', { limit: 'lookups_per_month' })
    const server = await serve(() => ({ status: 429, body, headers: { 'retry-after': '86400' } }))
    const error = await failure(server.client().score.get('a'))
    expect(error).toMatchObject({
      retryAfterMs: 86_400_000,
      details: { limit: 'lookups_per_month' },
    })
    expect(server.received).toHaveLength(1)
  })

  test('times out, is repeated once, and then reports the timeout', async () => {
    const server = await serve(() => () => undefined)
    // Counted here, not by the server: on a busy machine a request may take longer than 20 ms.
    let attempts = 0
    const counted: typeof fetch = (...request) => {
      attempts++
      return fetch(...request)
    }
    const client = server.client({ timeoutMs: 20, retryForMs: 20, fetch: counted })
    expect(await failure(client.agents.get('a'))).toMatchObject({ status: 0, code: 'TIMEOUT' })
    expect(attempts).toBe(2)
  })

  test('names the address that it could not reach', async () => {
    const server = await serve(() => unavailable)
    const call = server.client({ baseUrl: 'http://localhost:2', retriesMax: 0 }).agents.get('a')
    const error = await failure(call)
    expect(error).toMatchObject({ status: 0, code: 'NETWORK_ERROR' })
    expect(error.message).toMatch(/http:\/\/localhost:2: .*ECONNREFUSED/)
  })
})

describe('a call that waits', () => {
  test('reports the reason and the duration before each wait', async () => {
    const answers: readonly Answer[] = [
      { status: 429, headers: { 'retry-after': '42' }, body: refusal('RATE_LIMIT_EXCEEDED') },
      drop,
      { status: 409, body: refusal('IDEMPOTENCY_IN_PROGRESS') },
    ]
    const server = await serve((_request, n) => answers[n] ?? { status: 200, body: AGENT })
    const waits: WaitInfo[] = []
    await server.client({ onWait: (info) => waits.push(info) }).agents.get('a')
    expect(waits).toMatchObject([
      { reason: 'rate_limit', attempt: 1, error: { code: 'RATE_LIMIT_EXCEEDED' } },
      { reason: 'unavailable', attempt: 2, error: { code: 'NETWORK_ERROR' } },
      { reason: 'in_progress', attempt: 3, method: 'GET', path: '/v1/agents/a' },
    ])
    expect(waits.map(({ seconds }) => seconds * 1000)).toEqual(server.waits)
  })

  test('ends with the signal’s reason when it is aborted', async () => {
    const abort = new AbortController()
    const limited = { status: 429, headers: { 'retry-after': '60' } }
    const server = await serve(() => limited)
    const client = server.client({
      wait: undefined,
      // The wait begins right after its notice, and so before a microtask.
      onWait: () => queueMicrotask(() => abort.abort(new Error('stop'))),
    })
    await expect(client.agents.get('a', { signal: abort.signal })).rejects.toThrow('stop')
    expect(server.received).toHaveLength(1)
  })
})

describe('a call that is aborted', () => {
  test('ends with the signal’s reason, both before and after it was sent', async () => {
    const abort = new AbortController()
    const server = await serve(() => () => abort.abort(new Error('enough')))
    const { signal } = abort
    await expect(server.client().agents.get('a', { signal })).rejects.toThrow('enough')
    await expect(server.client().agents.get('a', { signal })).rejects.toThrow('enough')
    expect(server.received).toHaveLength(1)

    const plain = new AbortController()
    plain.abort()
    const reason = await server
      .client()
      .agents.get('a', { signal: plain.signal })
      .catch((error: unknown) => error)
    expect(reason).toMatchObject({ name: 'AbortError' })
    expect(reason).not.toBeInstanceOf(StandingError)
  })
})

describe('the wait before a repeat', () => {
  const error = new StandingError({ status: 503, code: 'SERVICE_UNAVAILABLE', message: '' })
  const delay = (attempts: number, random: number) =>
    retryDelay(error, { attempts, triedMs: 0, askedMs: 0 }, RETRY_POLICY, random)?.backoffMs

  test('is between half and all of a bound that doubles up to two seconds', () => {
    expect([1, 2, 3, 4, 5].map((attempts) => delay(attempts, 1))).toEqual([
      250, 500, 1000, 2000, 2000,
    ])
    expect(delay(3, 0)).toBe(500)
  })
})

describe('a write', () => {
  test('carries the same fresh Idempotency-Key on every attempt', async () => {
    const server = await serve((_request, n) => (n % 2 ? { status: 201, body: AGENT } : drop))
    const client = server.client({ token: 't' })
    await client.agents.register({ displayName: 'one' })
    await client.agents.register({ displayName: 'one' })
    const keys = server.received.map((request) => request.headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[3]).toBe(keys[2])
    expect(keys[2]).not.toBe(keys[0])
  })

  test('carries the key that the caller gives', async () => {
    const server = await serve(() => ({ status: 201, body: AGENT }))
    await server.client().agents.register({ displayName: 'one' }, { idempotencyKey: 'mine' })
    expect(server.received[0]?.headers['idempotency-key']).toBe('mine')
  })

  test('is the only call with a key: reads and questions change nothing', async () => {
    const server = await serve(() => ({ status: 200, body: { data: [], nextCursor: null } }))
    await server.client().agents.list()
    await server.client().score.getBatch(['a'])
    await server.client().credentials.verify('x')
    expect(server.received.map((request) => request.headers['idempotency-key'])).toEqual(
      Array(3).fill(undefined),
    )
  })
})

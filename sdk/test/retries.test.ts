import { describe, expect, it } from 'vitest'
import { StandingError } from '../src/index.ts'
import { retryDelayMs } from '../src/retry.ts'
import { type Answer, refusal, serve } from './server.ts'

const AGENT = { id: 'a', displayName: 'one' }
const drop: Answer = (response) => void response.destroy()
const unavailable: Answer = { status: 503, body: refusal('SERVICE_UNAVAILABLE') }

async function failure(call: Promise<unknown>): Promise<StandingError> {
  const error = await call.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StandingError)
  return error as StandingError
}

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
  it.each(passing)('is repeated when %s', async (_name, answer) => {
    const bench = await serve((_request, n) => (n < 2 ? answer : { status: 200, body: AGENT }))
    expect(await bench.client().agents.get('a')).toEqual(AGENT)
    expect(bench.received).toHaveLength(3)
    expect(bench.waits).toHaveLength(2)
  })

  it.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'AUTHENTICATION_REQUIRED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [422, 'IDEMPOTENCY_KEY_REUSED'],
    [500, 'INTERNAL_ERROR'],
  ])('is not repeated on %i %s', async (status, code) => {
    const bench = await serve(() => ({ status, body: refusal(code) }))
    expect(await failure(bench.client().agents.get('a'))).toMatchObject({ status, code })
    expect(bench.received).toHaveLength(1)
  })

  it('is given up after four repeats, or as many as asked for', async () => {
    const bench = await serve(() => unavailable)
    await failure(bench.client().agents.get('a'))
    expect(bench.received).toHaveLength(5)
    await failure(bench.client({ retriesMax: 0 }).agents.get('a'))
    expect(bench.received).toHaveLength(6)
  })

  it('waits at least as long as a 429 asks', async () => {
    const limited = { status: 429, headers: { 'retry-after': '42' } }
    const bench = await serve((_request, n) => (n === 0 ? limited : { status: 200, body: AGENT }))
    await bench.client().agents.get('a')
    expect(bench.waits).toHaveLength(1)
    expect(bench.waits[0]).toBeGreaterThanOrEqual(42_000)
  })

  it('does not wait for a quota that comes back tomorrow', async () => {
    const body = refusal('RATE_LIMIT_EXCEEDED', 'spent', { limit: 'lookups_per_month' })
    const bench = await serve(() => ({ status: 429, body, headers: { 'retry-after': '86400' } }))
    const error = await failure(bench.client().score.get('a'))
    expect(error).toMatchObject({
      retryAfterMs: 86_400_000,
      details: { limit: 'lookups_per_month' },
    })
    expect(bench.received).toHaveLength(1)
  })

  it('times out, and says so', async () => {
    const bench = await serve(() => () => undefined)
    // Counted here, not by the server: a busy machine may not hear of a request within 20 ms.
    let attempts = 0
    const counted: typeof fetch = (...request) => {
      attempts++
      return fetch(...request)
    }
    const client = bench.client({ timeoutMs: 20, retriesMax: 1, fetch: counted })
    expect(await failure(client.agents.get('a'))).toMatchObject({ status: 0, code: 'TIMEOUT' })
    expect(attempts).toBe(2)
  })

  it('names what it could not reach', async () => {
    const bench = await serve(() => unavailable)
    const call = bench.client({ baseUrl: 'http://localhost:2', retriesMax: 0 }).agents.get('a')
    const error = await failure(call)
    expect(error).toMatchObject({ status: 0, code: 'NETWORK_ERROR' })
    expect(error.message).toMatch(/http:\/\/localhost:2: .*ECONNREFUSED/)
  })

  it('ends with its own reason when it is aborted, in flight or waiting', async () => {
    const abort = new AbortController()
    const bench = await serve(() => () => abort.abort(new Error('enough')))
    const { signal } = abort
    await expect(bench.client().agents.get('a', { signal })).rejects.toThrow('enough')
    await expect(bench.client().agents.get('a', { signal })).rejects.toThrow('enough')
    expect(bench.received).toHaveLength(1)

    const plain = new AbortController()
    plain.abort()
    const reason = await bench
      .client()
      .agents.get('a', { signal: plain.signal })
      .catch((error: unknown) => error)
    expect(reason).toMatchObject({ name: 'AbortError' })
    expect(reason).not.toBeInstanceOf(StandingError)

    const later = new AbortController()
    const failing = await serve(() => {
      setTimeout(() => later.abort(new Error('stop')), 20)
      return { status: 503, headers: { 'retry-after': '60' } }
    })
    const client = failing.client({ wait: undefined })
    const call = client.agents.get('a', { signal: later.signal })
    await expect(call).rejects.toThrow('stop')
  })
})

describe('the wait before a repeat', () => {
  const error = new StandingError({ status: 503, code: 'SERVICE_UNAVAILABLE', message: '' })
  const policy = { retriesMax: 10, retryAfterMaxMs: 1000 }

  it('is anything from nothing to a bound that doubles up to eight seconds', () => {
    const bounds = [1, 2, 3, 6, 7].map((attempt) => retryDelayMs(error, attempt, policy, 1))
    expect(bounds).toEqual([250, 500, 1000, 8000, 8000])
    expect(retryDelayMs(error, 3, policy, 0)).toBe(0)
  })
})

describe('a write', () => {
  it('carries the same fresh Idempotency-Key on every attempt', async () => {
    const bench = await serve((_request, n) => (n % 2 ? { status: 201, body: AGENT } : drop))
    const client = bench.client({ token: 't' })
    await client.agents.register({ displayName: 'one' })
    await client.agents.register({ displayName: 'one' })
    const keys = bench.received.map((request) => request.headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[3]).toBe(keys[2])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('carries the key of the caller where he gives one', async () => {
    const bench = await serve(() => ({ status: 201, body: AGENT }))
    await bench.client().agents.register({ displayName: 'one' }, { idempotencyKey: 'mine' })
    expect(bench.received[0]?.headers['idempotency-key']).toBe('mine')
  })

  it('is all that carries one: a read or a question changes nothing', async () => {
    const bench = await serve(() => ({ status: 200, body: { data: [], notFound: [] } }))
    await bench.client().agents.list()
    await bench.client().score.getBatch(['a'])
    await bench.client().credentials.verifyToken({ jwt: 'x' })
    expect(bench.received.map((request) => request.headers['idempotency-key'])).toEqual(
      Array(3).fill(undefined),
    )
  })
})

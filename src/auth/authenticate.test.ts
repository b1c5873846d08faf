import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { KeyHolder, Store } from '../store/store.ts'
import { createAuthenticator } from './authenticate.ts'
import { hashOf, newKey } from './key-format.ts'
import type { Tokens } from './tokens.ts'

/** An authenticator over keys whose look-ups are counted. */
function counting() {
  const rows = new Map<string, KeyHolder>()
  let time = 0
  let lookUps = 0
  let statements = 0
  let statementsAtOnce = 0
  let running = 0
  const holders = async (hashes: readonly Uint8Array[]) => {
    lookUps += hashes.length
    statements++
    running++
    statementsAtOnce = Math.max(statementsAtOnce, running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    return hashes.map((hash) => rows.get(Buffer.from(hash).toString('hex')) ?? null)
  }
  const authenticator = createAuthenticator({
    store: { keys: { holders } } as unknown as Store,
    tokens: { invalidate() {}, clear() {} } as unknown as Tokens,
    operatorKey: null,
    keyUse: { used() {}, async flush() {} },
    now: () => time,
    freshMs: () => 10_000,
  })
  const give = (key: string) => {
    const holder = { kind: 'operator', operatorId: randomUUID(), expiresAt: null } as const
    rows.set(Buffer.from(hashOf(key)).toString('hex'), holder)
  }
  const lookUpsOf = async (work: () => unknown) => {
    const before = lookUps
    await work()
    return lookUps - before
  }
  const pass = (ms: number) => {
    time += ms
  }
  const seen = () => ({ statements, statementsAtOnce })
  return { ...authenticator, give, lookUpsOf, pass, seen }
}

test('invented keys do not evict a real key from the cache', async () => {
  const { authenticate, give, lookUpsOf } = counting()
  const real = newKey('operator')
  give(real)
  expect(await authenticate(real)).toMatchObject({ kind: 'operator' })
  for (let i = 0; i < 101; i++) {
    await Promise.all(Array.from({ length: 100 }, () => authenticate(newKey('operator'))))
  }
  expect(await lookUpsOf(() => authenticate(real))).toBe(0)
})

test('an invented key is looked up at most once a second, and works a second after it is created', async () => {
  const { authenticate, give, lookUpsOf, pass } = counting()
  const key = newKey('operator')
  const thrice = () => Promise.all([authenticate(key), authenticate(key), authenticate(key)])
  expect(await lookUpsOf(thrice)).toBe(1)
  give(key)
  pass(999)
  expect(await lookUpsOf(thrice)).toBe(0)
  expect(await authenticate(key)).toBeNull()
  pass(1)
  expect(await authenticate(key)).toMatchObject({ kind: 'operator' })
})

test('a thousand keys that are tried at the same time take few statements, two at a time', async () => {
  const { authenticate, give, seen } = counting()
  const real = newKey('operator')
  give(real)
  const invented = Array.from({ length: 1_000 }, () => authenticate(newKey('operator')))
  expect(await authenticate(real)).toMatchObject({ kind: 'operator' })
  expect(await Promise.all(invented)).toEqual(Array(1_000).fill(null))
  const { statements, statementsAtOnce } = seen()
  expect(statements).toBeLessThan(20)
  expect(statementsAtOnce).toBeLessThanOrEqual(2)
})

import { Standing, type StandingError } from '@standing/sdk'
import { expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { newOwner, PASSWORD, startService } from '../support/service.ts'

const clock = createTestClock('2026-06-15T11:00:00.000Z')
// Guessers come from addresses of their own, as a proxy names them.
const settings = { STANDING_TRUST_PROXY: '127.0.0.0/8' }
const at = await startService(settings, { now: clock.now })
const second = await at.node()
const nodes = [at.url, second.url]

const MINUTE_MS = 60_000

let addresses = 0
const newAddress = () => `203.0.113.${++addresses}`

/** Signs in from an address: the status, or the error. */
async function login(
  {
    email,
    password = 'not the password',
    from,
  }: { email: string; password?: string; from: string },
  node = 0,
): Promise<{ status: number; error: StandingError | null }> {
  const client = new Standing({
    baseUrl: nodes[node] ?? at.url,
    retriesMax: 0,
    fetch: (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', from)
      return fetch(url, { ...init, headers })
    },
  })
  try {
    await client.auth.login({ email, password })
    return { status: 200, error: null }
  } catch (error) {
    const refusal = error as StandingError
    return { status: refusal.status, error: refusal }
  }
}

test('after ten failures for one e-mail, sign-ins from anywhere fail for a quarter of an hour', async () => {
  const { email } = await newOwner(at)
  for (let i = 0; i < 10; i++) {
    expect((await login({ email, from: newAddress() }, i % 2)).status).toBe(401)
  }
  const wrong = await login({ email, from: newAddress() }, 1)
  const right = await login({ email, password: PASSWORD, from: newAddress() })
  expect(wrong.error).toMatchObject({
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    details: { limit: 'login_failures' },
    retryAfterMs: 15 * MINUTE_MS,
  })
  // The right password looks like a wrong one.
  const { requestId: _one, ...wrongDetails } = wrong.error?.details ?? {}
  const { requestId: _two, ...rightDetails } = right.error?.details ?? {}
  expect([right.status, right.error?.message, rightDetails]).toEqual([
    wrong.status,
    wrong.error?.message,
    wrongDetails,
  ])
  clock.move(15 * MINUTE_MS - 1)
  expect((await login({ email, password: PASSWORD, from: newAddress() })).status).toBe(429)
  clock.move(1)
  expect((await login({ email, password: PASSWORD, from: newAddress() })).status).toBe(200)
})

test('a sign-in does not clear the failures, and those at a known address count elsewhere too', async () => {
  const { email } = await newOwner(at)
  const home = newAddress()
  const right = (from: string) => login({ email, password: PASSWORD, from })
  expect((await right(home)).status).toBe(200)
  for (let i = 0; i < 9; i++) {
    expect((await login({ email, from: home }, i % 2)).status).toBe(401)
  }
  const away = newAddress()
  expect((await right(away)).status).toBe(200)
  expect((await login({ email, from: home })).status).toBe(401)
  expect([(await right(home)).status, (await right(newAddress())).status]).toEqual([429, 429])
  // This address is known since the last sign-in, and has no failures of its own.
  expect((await right(away)).status).toBe(200)
})

test('after ten failures an address is refused for every e-mail, on every node', async () => {
  const { email } = await newOwner(at)
  const from = newAddress()
  for (let i = 0; i < 10; i++) {
    expect((await login({ email: `nobody-${i}@example.com`, from }, i % 2)).status).toBe(401)
  }
  for (const node of [0, 1]) {
    expect((await login({ email, password: PASSWORD, from }, node)).status).toBe(429)
  }
  expect((await login({ email, password: PASSWORD, from: newAddress() })).status).toBe(200)
})

test('an e-mail without an account is refused like one with an account', async () => {
  const { email } = await newOwner(at)
  const known = await login({ email, from: newAddress() })
  const unknown = await login({ email: 'nobody@example.com', from: newAddress() })
  expect(unknown.status).toBe(known.status)
  expect(unknown.error?.message).toBe(known.error?.message)
})

test('of forty guesses at once on two nodes ten are checked', async () => {
  const { email } = await newOwner(at)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => login({ email, from: newAddress() }, i % 2)),
  )
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
})

test('twenty simultaneous sign-ins with the right password all succeed', async () => {
  const { email } = await newOwner(at)
  const from = newAddress()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => login({ email, password: PASSWORD, from }, i % 2)),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
})

test('guesses of the current password at a password change are limited too', async () => {
  const { client, email } = await newOwner(at)
  const guess = () =>
    client.auth
      .changePassword({ currentPassword: 'not the password', newPassword: `${PASSWORD} too` })
      .catch((error: StandingError) => error.status)
  for (let i = 0; i < 10; i++) {
    expect(await guess()).toBe(400)
  }
  expect(await guess()).toBe(429)
  expect((await login({ email, password: PASSWORD, from: newAddress() })).status).toBe(429)
})

import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { checkDatabase } from '../../cli/src/doctor/database.ts'
import { readConfig } from '../../src/config.ts'
import { drawn } from '../support/cases.ts'
import { eventually } from '../support/eventually.ts'
import { newOwner, PASSWORD, startService } from '../support/service.ts'

const log: string[] = []
// Every client has an address of its own, as a proxy names it.
const at = await startService(
  { STANDING_RATE_LIMITS: 'off', STANDING_TRUST_PROXY: '127.0.0.0/8', LOG_LEVEL: 'warn' },
  // A guess costs what it costs by default.
  { passwordCost: undefined },
  { write: (line) => void log.push(line) },
)

async function logIn(email: string, password: string, from: string): Promise<number> {
  const response = await fetch(`${at.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password }),
  })
  await response.arrayBuffer()
  return response.status
}

/** Few enough that the turn of another comes in time where a hash takes ten times as long as usual. */
const ADDRESSES = 10
const GUESSERS = 80

test('an owner signs in every time while eighty clients of ten addresses guess passwords', async () => {
  const { email } = await newOwner(at)
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  let guesses = 0
  const guessers = Array.from({ length: GUESSERS }, async (_, i) => {
    for (let n = 0; !isOver; n++) {
      const from = `203.0.113.${i % ADDRESSES}`
      await logIn(`account-${i}-${n}@example.com`, 'a wrong guess', from)
      guesses++
    }
  })
  await eventually(() => expect(guesses).toBeGreaterThan(40))
  for (let i = 0; i < drawn(5, 3); i++) {
    expect(await logIn(email, PASSWORD, '198.51.100.1')).toBe(200)
  }
  const health = await fetch(`${at.url}/healthz`)
  expect(health.status).toBe(200)
  isOver = true
  await Promise.all(guessers)
})

test('guesses from elsewhere do not lock out an owner at the address of a recent sign-in', async () => {
  const { email } = await newOwner(at)
  const home = '198.51.100.20'
  expect(await logIn(email, PASSWORD, home)).toBe(200)
  for (let i = 0; i < 12; i++) {
    await logIn(email, 'a wrong guess', `203.0.113.${100 + i}`)
  }
  expect(await logIn(email, PASSWORD, '198.51.100.99')).toBe(429)
  expect(await logIn(email, PASSWORD, home)).toBe(200)
  // Not even by others who share the address.
  for (let i = 0; i < 12; i++) {
    await logIn(`somebody-${i}@example.com`, 'a wrong guess', home)
  }
  expect(await logIn(email, PASSWORD, home)).toBe(200)
})

test('guesses from the address of a recent sign-in are limited as well', async () => {
  const { email } = await newOwner(at)
  const home = '198.51.100.30'
  expect(await logIn(email, PASSWORD, home)).toBe(200)
  const statuses: number[] = []
  for (let i = 0; i < 12; i++) {
    statuses.push(await logIn(email, 'a wrong guess', home))
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  expect(await logIn(email, PASSWORD, home)).toBe(429)
})

test('a proxy that is not trusted is reported once in the log, and by doctor', async () => {
  const env = { DATABASE_URL: at.database.url }
  const before = await checkDatabase(readConfig(env))
  expect(before.proxy.level).toBe('ok')
  const node = await at.node({ STANDING_TRUST_PROXY: '10.0.0.0/8' })
  for (let i = 0; i < 110; i++) {
    const headers = { 'x-forwarded-for': `203.0.113.${i}` }
    await (await fetch(`${node.url}/v1/scores/classifications`, { headers })).arrayBuffer()
  }
  await eventually(async () => {
    const { proxy } = await checkDatabase(readConfig(env))
    expect(proxy).toMatchObject({
      level: 'note',
      finding: expect.stringContaining('came through 127.0.0.1'),
      fix: expect.stringContaining('STANDING_TRUST_PROXY'),
    })
  })
  const warnings = log
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ msg }) => String(msg).includes('STANDING_TRUST_PROXY'))
  expect(warnings).toMatchObject([{ level: pino.levels.values.warn, peer: '127.0.0.1' }])
  const trusting = readConfig({ ...env, STANDING_TRUST_PROXY: '127.0.0.1' })
  expect((await checkDatabase(trusting)).proxy.level).toBe('ok')
})

import { expect, test } from 'vitest'
import { createReadiness } from './readiness.ts'

/** What a second of an attack on a public address may be. */
const AT_ONCE = 10_000

test('simultaneous readiness checks ask the database once', async () => {
  let pings = 0
  const notReady = createReadiness({
    ping: async () => {
      pings++
      return { isReadOnly: false }
    },
  })
  const reasons = await Promise.all(Array.from({ length: AT_ONCE }, () => notReady()))
  expect(new Set(reasons)).toEqual(new Set([null]))
  expect(pings).toBe(1)
})

test('a database that never answers is not waited for, and the reason says so', async () => {
  const notReady = createReadiness({ ping: () => new Promise(() => {}), pingMaxMs: 10 })
  expect(await notReady()).toBe('the database cannot be reached (ETIMEDOUT)')
})

test('the reason names the kind of error, and not the address of the database', async () => {
  const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), {
    code: 'ECONNREFUSED',
  })
  const notReady = createReadiness({ ping: () => Promise.reject(error) })
  expect(await notReady()).toBe('the database cannot be reached (ECONNREFUSED)')
})

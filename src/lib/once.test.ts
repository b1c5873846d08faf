import { expect, test } from 'vitest'
import { once } from './once.ts'

test('a value is made at the first call, also where it is undefined', () => {
  let calls = 0
  const made = once(() => {
    calls += 1
    return undefined
  })
  expect(calls).toBe(0)
  made()
  made()
  expect(calls).toBe(1)
})

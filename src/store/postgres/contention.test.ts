import { expect, test } from 'vitest'
import { createContention } from './contention.ts'

test('contention is high for a second after three lost batches in a row, and again after one more', () => {
  let now = 0
  const { lost, won, isHigh } = createContention(() => now)
  lost()
  lost()
  expect(isHigh()).toBe(false)
  lost()
  expect(isHigh()).toBe(true)
  now = 1_000
  expect(isHigh()).toBe(false)
  lost()
  expect(isHigh()).toBe(true)
  now = 2_000
  won()
  lost()
  lost()
  expect(isHigh()).toBe(false)
})

import { expect, test } from 'vitest'
import { pruneAll } from './prune.ts'

const signal = new AbortController().signal

test('it goes on until nothing is left, and rests after each part that was full', async () => {
  let parts = 500
  const rests: number[] = []
  const rest = async (ms: number) => void rests.push(ms)
  await pruneAll(async () => --parts > 0, signal, rest)
  expect(parts).toBe(0)
  expect(rests).toHaveLength(499)
  expect(Math.min(...rests)).toBeGreaterThan(0)
})

test('it rests no longer and begins nothing more once it is to stop', async () => {
  const closing = new AbortController()
  let pruned = 0
  const prune = async () => {
    pruned++
    closing.abort()
    return true
  }
  await pruneAll(prune, closing.signal)
  await pruneAll(prune, closing.signal)
  expect(pruned).toBe(1)
})

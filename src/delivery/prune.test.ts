import { expect, test } from 'vitest'
import { pruneAll } from './prune.ts'

const signal = new AbortController().signal

test('pruning continues until nothing is left, with a pause after each full batch', async () => {
  let parts = 500
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  await pruneAll(async () => --parts > 0, signal, pause)
  expect(parts).toBe(0)
  expect(pauses).toHaveLength(499)
  expect(Math.min(...pauses)).toBeGreaterThan(0)
})

test('an aborted pruning ends its pause and starts no further batch', async () => {
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

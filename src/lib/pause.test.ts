import { expect, test } from 'vitest'
import { pause } from './pause.ts'

const DAY_MS = 86_400_000

test('a pause ends when its signal aborts, and at once where that has happened', async () => {
  const closing = new AbortController()
  const paused = pause(DAY_MS, closing.signal)
  closing.abort()
  await paused
  await pause(DAY_MS, closing.signal)
})

test('a pause ends when its time is over', async () => {
  expect(await pause(1)).toBeUndefined()
})

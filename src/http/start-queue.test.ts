import { expect, test } from 'vitest'
import { createStartQueue } from './start-queue.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Requests that take so many milliseconds each, on a clock of their own. */
function requestsOf(ms: number) {
  let clock = 0
  const started: number[] = []
  const queue = createStartQueue(() => clock)
  const start = (n: number) =>
    queue.add(() => {
      started.push(n)
      clock += ms
    })
  return { started, start }
}

test('cheap requests start at once', () => {
  const { started, start } = requestsOf(0.01)
  for (let n = 0; n < 300; n++) {
    start(n)
  }
  expect(started).toHaveLength(300)
})

test('expensive requests yield the event loop to others, and start in order', async () => {
  const { started, start } = requestsOf(2)
  for (let n = 0; n < 10; n++) {
    start(n)
  }
  expect(started).toEqual([0, 1, 2])
  await turn()
  expect(started).toEqual([0, 1, 2, 3, 4, 5])
  start(10)
  for (let i = 0; i < 3; i++) {
    await turn()
  }
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

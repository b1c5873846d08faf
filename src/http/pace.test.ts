import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function startedBy(weights: readonly number[], weightPerTurn = 16) {
  const pace = createPace(weightPerTurn)
  const started: number[] = []
  for (const [n, weight] of weights.entries()) {
    pace.start(weight, () => started.push(n))
  }
  return started
}

test('light work starts at once', () => {
  expect(startedBy([1, 1, 1])).toEqual([0, 1, 2])
})

test('heavy work leaves the event loop to others in between, and starts in its order', async () => {
  const started = startedBy([11, 11, 11, 1, 40, 1])
  expect(started).toEqual([0, 1])
  await turn()
  expect(started).toEqual([0, 1, 2, 3, 4])
  await turn()
  expect(started).toEqual([0, 1, 2, 3, 4, 5])
})

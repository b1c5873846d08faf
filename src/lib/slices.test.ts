import { expect, test } from 'vitest'
import { inSlices } from './slices.ts'

test('other work is done while many items are', async () => {
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const items: number[] = []
  // Each item takes a millisecond.
  for await (const item of inSlices(Array.from({ length: 100 }, (_, i) => i))) {
    const until = performance.now() + 1
    while (performance.now() < until) {}
    items.push(item)
  }
  clearImmediate(timer)
  expect(items).toEqual(Array.from({ length: 100 }, (_, i) => i))
  expect(turns).toBeGreaterThan(3)
})

import { expect, test } from 'vitest'
import { createCounts } from './counts.ts'

test('keys are counted, and the key with the most is found; of two equal ones, the earlier', () => {
  const counts = createCounts()
  expect([counts.of('a'), counts.most()]).toEqual([0, null])
  for (const key of ['a', 'b', 'b', 'c', 'c']) {
    counts.add(key, 1)
  }
  expect(['a', 'b', 'c'].map(counts.of)).toEqual([1, 2, 2])
  expect(counts.most()).toBe('b')
  counts.add('b', -1)
  expect([counts.of('b'), counts.most()]).toEqual([1, 'c'])
})

test('a count never falls below none', () => {
  const counts = createCounts()
  counts.add('a', -1)
  counts.add('a', 1)
  expect(counts.of('a')).toBe(1)
})

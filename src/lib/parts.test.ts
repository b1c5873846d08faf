import { expect, test } from 'vitest'
import { inParts } from './parts.ts'

test('a list is divided into parts of at most so many items, in its order', () => {
  expect(inParts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(inParts([1, 2], 2)).toEqual([[1, 2]])
  expect(inParts([], 2)).toEqual([])
})

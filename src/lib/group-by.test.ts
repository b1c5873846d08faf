import { expect, test } from 'vitest'
import { groupBy } from './group-by.ts'

test('items are grouped by their key in their original order', () => {
  const groups = groupBy(['ab', 'c', 'de', 'f'], ({ length }) => length)
  expect([...groups]).toEqual([
    [2, ['ab', 'de']],
    [1, ['c', 'f']],
  ])
})

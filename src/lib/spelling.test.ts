import { expect, test } from 'vitest'
import { slipsBetween } from './spelling.ts'

test.each([
  ['', '', 0],
  ['same', 'same', 0],
  ['', 'abc', 3],
  ['operater', 'operator', 1],
  ['kitten', 'sitting', 3],
  ['PORT', 'POTR', 2],
])('the distance from %s to %s is counted', (a, b, slips) => {
  expect(slipsBetween(a, b)).toBe(slips)
  expect(slipsBetween(b, a)).toBe(slips)
})

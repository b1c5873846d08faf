import { expect, test } from 'vitest'
import { median, quantile } from './statistics.ts'

test('the median is the middle value, or the mean of the two middle values', () => {
  expect(median([5, 1, 9])).toBe(5)
  expect(median([5, 1, 9, 6])).toBe(5.5)
  expect(median([])).toBeNaN()
})

test('a quantile is the first value above its share of the values', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i)
  expect(quantile(hundred, 0)).toBe(0)
  expect(quantile(hundred, 0.99)).toBe(99)
  expect(quantile([], 0.5)).toBe(0)
})

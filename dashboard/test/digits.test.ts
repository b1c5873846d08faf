import { expect, test } from 'vitest'
import { digitsOfProbability } from '../src/messages/digits.ts'

test.each([
  [0.0001, '0.01%'],
  [0.004, '0.4%'],
  [0.5, '50%'],
  [0.994, '99%'],
  [0.9989, '99.9%'],
  [0.9999, '99.99%'],
])('a probability of %d is shown as %s', (value, shown) => {
  const maximumFractionDigits = digitsOfProbability(value)
  const format = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits })
  expect(format.format(value)).toBe(shown)
})

import { expect, test } from 'vitest'
import { fingerprint, placeOfEntry } from './digest.ts'

test('digests are the same for a number as for its text, as those that are stored', () => {
  const whole = [0, 7, 10, 999_999_999, 1_000_000_000, 1_767_225_600_000, 2 ** 53 - 1]
  const others = [-5, 149.37, 2 ** 53, 1e21, 5e-7]
  for (const figure of [...whole, ...others]) {
    expect(fingerprint(['p1', figure])).toBe(fingerprint(['p1', String(figure)]))
  }
})

test('digests that are run together are found only where an entry begins', () => {
  expect(placeOfEntry('abcdabxx', 'ab', 4)).toBe(0)
  expect(placeOfEntry('abcdabxx', 'ab', 4, 4)).toBe(4)
  expect(placeOfEntry('xxabxxab', 'ab', 4)).toBe(-1)
  expect(placeOfEntry('', 'ab', 4)).toBe(-1)
})

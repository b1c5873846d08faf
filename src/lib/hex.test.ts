import { expect, test } from 'vitest'
import { hexOf } from './hex.ts'

test('bytes are written as pairs of lower-case digits, and a slice of a buffer has only its own', () => {
  expect(hexOf(new Uint8Array([0, 10, 255]))).toBe('000aff')
  expect(hexOf(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toBe('0203')
})

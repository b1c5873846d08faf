import { expect, test } from 'vitest'
import { clamp, exp, exp2, ln, log2 } from './math.ts'

/** Numbers spread evenly over a range, ends included. */
function spread(low: number, high: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1))
}

function relativeError(actual: number, expected: number): number {
  return actual === expected ? 0 : Math.abs(actual - expected) / Math.abs(expected)
}

/** Of all powers of two that a double can be. */
const EXPONENTS = Array.from({ length: 2098 }, (_, i) => i - 1074)

test('exp agrees with Math.exp to fifteen digits over the whole normal range', () => {
  const all = [...spread(-700, 709, 20_001), ...spread(-1, 1, 2001)]
  expect(all.filter((x) => !(relativeError(exp(x), Math.exp(x)) < 2e-15))).toEqual([])
})

test('exp2 agrees with 2 ** x, and is exact at whole numbers down to the smallest double', () => {
  const all = spread(-1000, 1000, 20_001)
  expect(all.filter((x) => !(relativeError(exp2(x), 2 ** x) < 2e-15))).toEqual([])
  expect(EXPONENTS.filter((n) => exp2(n) !== 2 ** n)).toEqual([])
})

test('ln agrees with Math.log to fifteen digits, near 1 too', () => {
  const all = [...spread(1e-9, 3, 20_001), ...spread(3, 1e6, 2001), 5e-324, 1.7e308]
  const isNear = (x: number) =>
    Math.abs(ln(x) - Math.log(x)) < 2e-15 * Math.max(1e-3, Math.abs(Math.log(x)))
  expect(all.filter((x) => !isNear(x))).toEqual([])
})

test('log2 agrees with Math.log2, and is exact at powers of two', () => {
  const isNear = (x: number) =>
    Math.abs(log2(x) - Math.log2(x)) < 4e-15 * Math.max(1, Math.abs(Math.log2(x)))
  expect(spread(1e-6, 1e6, 20_001).filter((x) => !isNear(x))).toEqual([])
  expect(EXPONENTS.filter((n) => log2(2 ** n) !== n)).toEqual([])
})

test('edge cases agree with the standard functions', () => {
  for (const x of [NaN, Infinity, -Infinity, 0, 710, -746]) {
    expect(exp(x)).toBe(Math.exp(x))
  }
  for (const x of [NaN, Infinity, 0, -1]) {
    expect(ln(x)).toBe(Math.log(x))
    expect(log2(x)).toBe(Math.log2(x))
  }
  expect(exp2(NaN)).toBeNaN()
  expect(exp2(1024)).toBe(Infinity)
  expect(exp2(-1080)).toBe(0)
})

test('results are the same bits on every machine', () => {
  const bits = (x: number) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setFloat64(0, x)
    return view.getBigUint64(0).toString(16)
  }
  const all = [exp(1), exp(-0.3), exp2(-1 / 365), ln(3), ln(0.7), log2(11), log2(1e-3)]
  expect(all.map(bits)).toMatchInlineSnapshot(`
    [
      "4005bf0a8b14576a",
      "3fe7b4c869c37c05",
      "3feff07537acfb1c",
      "3ff193ea7aad030b",
      "bfd6d3c324e13f4f",
      "400bacea7c065d42",
      "c023ee7b471b3a95",
    ]
  `)
})

test('clamp keeps a number within its bounds', () => {
  expect([-1, 0.5, 2].map((x) => clamp(x, 0, 1))).toEqual([0, 0.5, 1])
})

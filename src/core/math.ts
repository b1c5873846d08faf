/**
 * Logarithm and exponential out of +, −, ×, ÷ alone.
 * Math.log and Math.exp may differ in the last bit between engines and processors; IEEE 754 fixes
 * these four and the square root, so whatever is built from them is the same everywhere.
 */

/** ln 2 in two parts, the first with trailing zero bits: k · LN2_HIGH is exact for every exponent. */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10

/** Beyond these a double holds no e^x. */
const EXP_MAX = 709.782712893384
const EXP_MIN = -745.1332191019411

/** Powers of two that halve the way to any exponent of a double; each is exact. */
const STEPS: readonly (readonly [exponent: number, power: number])[] = powersOfTwo()

function powersOfTwo(): [number, number][] {
  const steps: [number, number][] = []
  for (let exponent = 1, power = 2; exponent <= 512; exponent *= 2, power *= power) {
    steps.unshift([exponent, power])
  }
  return steps
}

/** x · 2^n for an integer n. */
function scale(x: number, n: number): number {
  let rest = n < 0 ? -n : n
  let y = x
  for (const [exponent, power] of STEPS) {
    while (rest >= exponent) {
      y = n < 0 ? y / power : y * power
      rest -= exponent
    }
  }
  return y
}

/** e^r for |r| ≤ ln 2 / 2, by Taylor: the first term left out is below 2^-57. */
function expNearZero(r: number): number {
  let sum = 1
  for (let n = 13; n > 0; n--) sum = 1 + (r * sum) / n
  return sum
}

/** e^x, within 1e-15 of it relative to its size. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x
  if (x > EXP_MAX) return Infinity
  if (x < EXP_MIN) return 0
  const n = Math.floor(x * Math.LOG2E + 0.5)
  return scale(expNearZero(x - n * LN2_HIGH - n * LN2_LOW), n)
}

/** 2^x. Whole numbers give exact powers. */
export function exp2(x: number): number {
  if (Number.isNaN(x)) return x
  if (x >= 1024) return Infinity
  if (x < -1075) return 0
  const n = Math.floor(x + 0.5)
  return scale(expNearZero((x - n) * Math.LN2), n)
}

/** x = m · 2^k with √½ ≤ m < √2, and ln m by the odd series of (m − 1)/(m + 1). */
function split(x: number): { k: number; lnM: number } {
  let m = x
  let k = 0
  for (const [exponent, power] of STEPS) {
    while (m >= power) {
      m /= power
      k += exponent
    }
    while (m * power < 2) {
      m *= power
      k -= exponent
    }
  }
  if (m >= Math.SQRT2) {
    m /= 2
    k += 1
  }
  const s = (m - 1) / (m + 1)
  const square = s * s
  let sum = 0
  for (let n = 23; n > 0; n -= 2) sum = sum * square + 1 / n
  return { k, lnM: 2 * s * sum }
}

/** Natural logarithm. Of 0 it is −∞, of a negative number NaN. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN
  if (x === Infinity) return x
  const { k, lnM } = split(x)
  return k * LN2_HIGH + (lnM + k * LN2_LOW)
}

/** Logarithm to base 2. Exact for powers of two. */
export function log2(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN
  if (x === Infinity) return x
  const { k, lnM } = split(x)
  return k + lnM * Math.LOG2E
}

export function clamp(x: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, x))
}

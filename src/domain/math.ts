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

/** Exponents of the least and the greatest power of two that a double holds. */
const EXPONENT_MIN = -1074
const EXPONENT_MAX = 1023

/** All of them in order, each exact: halving and doubling lose nothing. */
const POWERS: readonly number[] = powersOfTwo()

function powersOfTwo(): number[] {
  const powers: number[] = []
  for (let n = 0, power = 1; n >= EXPONENT_MIN; n--, power /= 2) {
    powers[n - EXPONENT_MIN] = power
  }
  for (let n = 1, power = 2; n <= EXPONENT_MAX; n++, power *= 2) {
    powers.push(power)
  }
  return powers
}

function powerOfTwo(n: number): number {
  return POWERS[n - EXPONENT_MIN] as number
}

/**
 * The series of e^r, 1/n! for n from 0 to 13, from the last term on: the first term left out is below
 * 2^-57 for |r| ≤ ln 2 / 2. Spelt out, because a loop over an array takes twice as long.
 */
function expSeries(r: number): number {
  let sum = r * (1 / 6_227_020_800) + 1 / 479_001_600
  sum = sum * r + 1 / 39_916_800
  sum = sum * r + 1 / 3_628_800
  sum = sum * r + 1 / 362_880
  sum = sum * r + 1 / 40_320
  sum = sum * r + 1 / 5040
  sum = sum * r + 1 / 720
  sum = sum * r + 1 / 120
  sum = sum * r + 1 / 24
  sum = sum * r + 1 / 6
  sum = sum * r + 1 / 2
  sum = sum * r + 1
  return sum * r + 1
}

/**
 * 1/n for odd n from 1 to 23, from the last term on, at x = s²: the first term left out of ln m is
 * below 2^-64 for √½ ≤ m < √2.
 */
function lnSeries(x: number): number {
  let sum = x * (1 / 23) + 1 / 21
  sum = sum * x + 1 / 19
  sum = sum * x + 1 / 17
  sum = sum * x + 1 / 15
  sum = sum * x + 1 / 13
  sum = sum * x + 1 / 11
  sum = sum * x + 1 / 9
  sum = sum * x + 1 / 7
  sum = sum * x + 1 / 5
  sum = sum * x + 1 / 3
  return sum * x + 1
}

/** x · 2^n, for n a little beyond the range of exponents too. */
function scale(x: number, n: number): number {
  if (n > EXPONENT_MAX) {
    return x * 2 * powerOfTwo(n - 1)
  }
  if (n < EXPONENT_MIN) {
    return (x * powerOfTwo(n + 1)) / 2
  }
  return x * powerOfTwo(n)
}

/** e^x, to about fifteen digits. */
export function exp(x: number): number {
  if (Number.isNaN(x)) {
    return x
  }
  if (x > EXP_MAX) {
    return Infinity
  }
  if (x < EXP_MIN) {
    return 0
  }
  const n = Math.floor(x * Math.LOG2E + 0.5)
  return scale(expSeries(x - n * LN2_HIGH - n * LN2_LOW), n)
}

/** 2^x. Whole numbers give exact powers. */
export function exp2(x: number): number {
  if (x === 0) {
    return 1
  }
  if (Number.isNaN(x)) {
    return x
  }
  if (x >= EXPONENT_MAX + 1) {
    return Infinity
  }
  if (x < EXPONENT_MIN - 1) {
    return 0
  }
  const n = Math.floor(x + 0.5)
  return scale(expSeries((x - n) * Math.LN2), n)
}

/** A number's bits, to read its exponent from. */
const BITS = new DataView(new ArrayBuffer(8))
const EXPONENT_BIAS = 1023

/** The k with x = m · 2^k and √½ ≤ m < √2, for x above zero. */
function exponentOf(x: number): number {
  BITS.setFloat64(0, x)
  const biased = BITS.getUint32(0) >>> 20
  const k = biased > 0 ? biased - EXPONENT_BIAS : exponentOfTiny(x)
  return x / powerOfTwo(k) < Math.SQRT2 ? k : k + 1
}

/** Of numbers so small that they are written without one: the greatest power of two not above. */
function exponentOfTiny(x: number): number {
  let k = EXPONENT_MIN
  while (k < EXPONENT_MAX && x >= powerOfTwo(k + 1)) {
    k++
  }
  return k
}

/** ln of x / 2^k, by the odd series of (m − 1) / (m + 1). */
function lnOfRest(x: number, k: number): number {
  const m = k > EXPONENT_MAX ? x / powerOfTwo(k - 1) / 2 : x / powerOfTwo(k)
  const s = (m - 1) / (m + 1)
  return 2 * s * lnSeries(s * s)
}

/** Natural logarithm. Of 0 it is −∞, of a negative number NaN. */
export function ln(x: number): number {
  if (!(x > 0)) {
    return x === 0 ? -Infinity : NaN
  }
  if (x === Infinity) {
    return x
  }
  const k = exponentOf(x)
  return k * LN2_HIGH + (lnOfRest(x, k) + k * LN2_LOW)
}

/** Logarithm to base 2. Exact for powers of two. */
export function log2(x: number): number {
  if (!(x > 0)) {
    return x === 0 ? -Infinity : NaN
  }
  if (x === Infinity) {
    return x
  }
  const k = exponentOf(x)
  return k + lnOfRest(x, k) * Math.LOG2E
}

export function clamp(x: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, x))
}

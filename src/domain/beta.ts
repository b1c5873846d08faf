/**
 * The Beta distribution: what is known of a rate after good and bad were counted.
 * Built from math.ts alone, so that its digits are the same everywhere.
 */
import { exp, ln } from './math.ts'

/** Stirling's series for ln Γ is exact to a double from here on; below, Γ(x + 1) = x · Γ(x) lifts. */
const STIRLING_MIN = 12
const STIRLING_TERMS = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188] as const
const HALF_LN_2PI = 0.9189385332046728

/** The fraction below converges in about the square root of a + b steps; this suits a billion. */
const STEPS_MAX = 100_000
const PRECISION = 1e-15

/** ln Γ(x), for x above zero. */
export function lnGamma(x: number): number {
  let lifted = x
  let product = 1
  while (lifted < STIRLING_MIN) {
    product *= lifted
    lifted += 1
  }
  const square = 1 / (lifted * lifted)
  let series = 0
  for (let i = STIRLING_TERMS.length - 1; i >= 0; i--) {
    series = series * square + (STIRLING_TERMS[i] ?? 0)
  }
  return (lifted - 0.5) * ln(lifted) - lifted + HALF_LN_2PI + series / lifted - ln(product)
}

/** What is known of a rate: Beta with so much good and bad, and ln of their beta function. */
export interface Beta {
  readonly good: number
  readonly bad: number
  readonly lnBeta: number
}

export function betaOf(good: number, bad: number): Beta {
  return { good, bad, lnBeta: lnGamma(good) + lnGamma(bad) - lnGamma(good + bad) }
}

export function meanOf({ good, bad }: Beta): number {
  return good / (good + bad)
}

/** Probability that the rate is at most x: the regularised incomplete beta function. */
export function cdf({ good, bad, lnBeta }: Beta, x: number): number {
  if (x <= 0) {
    return 0
  }
  if (x >= 1) {
    return 1
  }
  const front = exp(good * ln(x) + bad * ln(1 - x) - lnBeta)
  // The fraction converges fast left of the mean only; right of it, the other tail is taken.
  if (x <= (good + 1) / (good + bad + 2)) {
    return (front / good) * fraction(x, good, bad)
  }
  return 1 - (front / bad) * fraction(1 - x, bad, good)
}

/** The continued fraction of the incomplete beta function, by Lentz's method (DLMF 8.17.22). */
function fraction(x: number, a: number, b: number): number {
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1))
  let c = 1
  let value = d
  for (let m = 1; m <= STEPS_MAX; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / notZero(1 + even * d)
    c = notZero(1 + even / c)
    value *= c * d
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / notZero(1 + odd * d)
    c = notZero(1 + odd / c)
    value *= c * d
    if (Math.abs(c * d - 1) < PRECISION) {
      break
    }
  }
  return value
}

function notZero(x: number): number {
  return Math.abs(x) < 1e-300 ? 1e-300 : x
}

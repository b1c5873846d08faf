/**
 * The digits after the point with which a probability is not shown as 0 % or 100 %: nothing is certain to happen.
 * The service names probabilities from 0.01 % to 99.99 %.
 */
export function digitsOfProbability(value: number): number {
  const toTheEnd = Math.min(value, 1 - value)
  if (toTheEnd >= 0.005) {
    return 0
  }
  return toTheEnd >= 0.0005 ? 1 : 2
}

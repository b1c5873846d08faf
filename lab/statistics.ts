/** The value above this share of values in ascending order; 0 of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0
}

/** Of an even number of values, the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = Number.NaN] = [sorted[half - 1], sorted[half]]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

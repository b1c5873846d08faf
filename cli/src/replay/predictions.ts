/** A value that was predicted, and the events that came later. */
export interface Prediction {
  /** The greater, the better the events are expected to be. */
  readonly value: number
  /** How many of the later events were good, and bad. */
  readonly good: number
  readonly bad: number
}

/**
 * The area under the ROC curve: how often a good later event has the greater value than a bad one;
 * equal values count half. Null where all events were good, or all bad.
 */
export function auc(predictions: readonly Prediction[]): number | null {
  const sorted = [...predictions].sort((a, b) => a.value - b.value)
  let [goods, bads, won] = [0, 0, 0]
  for (const group of groupsOf(sorted, ({ value }) => value)) {
    const good = sum(group, (one) => one.good)
    const bad = sum(group, (one) => one.bad)
    won += good * (bads + bad / 2)
    goods += good
    bads += bad
  }
  return goods > 0 && bads > 0 ? won / (goods * bads) : null
}

/**
 * Spearman's rank correlation of the values with the shares of good later events. Null where either
 * does not vary.
 */
export function spearman(predictions: readonly Prediction[]): number | null {
  const values = ranks(predictions.map(({ value }) => value))
  const shares = ranks(predictions.map(({ good, bad }) => good / (good + bad)))
  return correlation(values, shares)
}

/** Ranks from 1 in ascending order; equal numbers share the mean of their ranks. */
export function ranks(numbers: readonly number[]): readonly number[] {
  const order = numbers.map((number, at) => ({ number, at })).sort((a, b) => a.number - b.number)
  const result = new Array<number>(numbers.length)
  let before = 0
  for (const group of groupsOf(order, ({ number }) => number)) {
    for (const { at } of group) {
      result[at] = before + (group.length + 1) / 2
    }
    before += group.length
  }
  return result
}

/** Pearson's correlation of two lists of the same length. */
function correlation(xs: readonly number[], ys: readonly number[]): number | null {
  const [meanX, meanY] = [mean(xs), mean(ys)]
  let [xy, xx, yy] = [0, 0, 0]
  for (const [i, x] of xs.entries()) {
    const [dx, dy] = [x - meanX, (ys[i] ?? Number.NaN) - meanY]
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null
}

function mean(numbers: readonly number[]): number {
  return sum(numbers, (number) => number) / numbers.length
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

/** Neighbours with the same key, together. */
function* groupsOf<T>(sorted: readonly T[], keyOf: (item: T) => number): Generator<readonly T[]> {
  let group: T[] = []
  for (const item of sorted) {
    const [first] = group
    if (first !== undefined && keyOf(first) !== keyOf(item)) {
      yield group
      group = []
    }
    group.push(item)
  }
  if (group.length > 0) {
    yield group
  }
}

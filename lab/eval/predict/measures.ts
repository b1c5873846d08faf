/** How good predictions are. A prediction is held against one or more events that came later. */
export interface Prediction {
  /** 0 to 1: the greater, the better the agent is held to be. */
  readonly value: number
  /** How many of the later events were good, and bad. */
  readonly good: number
  readonly bad: number
}

export interface Quality {
  /** How often a good later event had the greater value than a bad one; ties count half. */
  readonly auc: number
  /** Rank correlation of the value with the share of good later events. */
  readonly spearman: number
  /** Mean square of what the value, read as a probability, was wrong by. */
  readonly brier: number
  /** Expected calibration error: how far the value lies from what then happened, bin by bin. */
  readonly ece: number
}

export interface Bin {
  /** Later events whose value fell into the bin. */
  readonly count: number
  /** Mean value. */
  readonly said: number
  /** Share of good events. */
  readonly seen: number
}

const BINS = 10

export function qualityOf(predictions: readonly Prediction[]): Quality {
  return {
    auc: auc(predictions),
    spearman: spearman(predictions),
    brier: brier(predictions),
    ece: calibrationError(binsOf(predictions)),
  }
}

export function auc(predictions: readonly Prediction[]): number {
  const sorted = [...predictions].sort((a, b) => a.value - b.value)
  let badBelow = 0
  let badTied = 0
  let won = 0
  let tied = 0
  let goods = 0
  let bads = 0
  let last = Number.NaN
  for (const { value, good, bad } of sorted) {
    if (value !== last) {
      badBelow += badTied
      badTied = 0
      // Goods that came before in this tie meet bads that come later, and the other way round.
      tied = 0
      last = value
    }
    won += good * (badBelow + badTied / 2) + (bad * tied) / 2
    badTied += bad
    tied += good
    won += (good * bad) / 2
    goods += good
    bads += bad
  }
  return won / (goods * bads)
}

export function spearman(predictions: readonly Prediction[]): number {
  const values = ranks(predictions.map(({ value }) => value))
  const rates = ranks(predictions.map(({ good, bad }) => good / (good + bad)))
  return correlation(values, rates)
}

/** Ranks from 0 on; equal numbers share the mean of theirs. */
function ranks(numbers: readonly number[]): readonly number[] {
  const order = numbers.map((_, i) => i).sort((a, b) => at(numbers, a) - at(numbers, b))
  const ranks = new Array<number>(numbers.length).fill(0)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && at(numbers, at(order, to)) === at(numbers, at(order, from))) {
      to++
    }
    for (let i = from; i < to; i++) {
      ranks[at(order, i)] = (from + to - 1) / 2
    }
    from = to
  }
  return ranks
}

function correlation(x: readonly number[], y: readonly number[]): number {
  const [meanX, meanY] = [mean(x), mean(y)]
  let [xy, xx, yy] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    const [dx, dy] = [at(x, i) - meanX, at(y, i) - meanY]
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  return xy / Math.sqrt(xx * yy)
}

export function brier(predictions: readonly Prediction[]): number {
  let sum = 0
  let count = 0
  for (const { value, good, bad } of predictions) {
    sum += good * (1 - value) ** 2 + bad * value ** 2
    count += good + bad
  }
  return sum / count
}

/** Ten bins of equal width; empty ones have a count of 0. */
export function binsOf(predictions: readonly Prediction[]): readonly Bin[] {
  const sums = Array.from({ length: BINS }, () => ({ count: 0, said: 0, seen: 0 }))
  for (const { value, good, bad } of predictions) {
    const sum = sums[Math.min(BINS - 1, Math.floor(value * BINS))]
    if (!sum) {
      continue
    }
    sum.count += good + bad
    sum.said += value * (good + bad)
    sum.seen += good
  }
  return sums.map(({ count, said, seen }) => {
    return count > 0 ? { count, said: said / count, seen: seen / count } : { count, said, seen }
  })
}

function calibrationError(bins: readonly Bin[]): number {
  const count = bins.reduce((sum, bin) => sum + bin.count, 0)
  return bins.reduce((sum, bin) => sum + (bin.count / count) * Math.abs(bin.said - bin.seen), 0)
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length
}

function at(numbers: readonly number[], i: number): number {
  return numbers[i] ?? Number.NaN
}

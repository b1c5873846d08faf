import { auc, type Prediction, spearman } from '../../../cli/src/replay/predictions.ts'

/** How good predictions are, whose values are probabilities from 0 to 1. NaN where it is not defined. */
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
  readonly predicted: number
  /** Share of good events. */
  readonly observed: number
}

const BINS = 10

export function qualityOf(predictions: readonly Prediction[]): Quality {
  return {
    auc: auc(predictions) ?? Number.NaN,
    spearman: spearman(predictions) ?? Number.NaN,
    brier: brier(predictions),
    ece: calibrationError(binsOf(predictions)),
  }
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
  const sums = Array.from({ length: BINS }, () => ({ count: 0, predicted: 0, observed: 0 }))
  for (const { value, good, bad } of predictions) {
    const sum = sums[Math.min(BINS - 1, Math.floor(value * BINS))]
    if (!sum) {
      continue
    }
    sum.count += good + bad
    sum.predicted += value * (good + bad)
    sum.observed += good
  }
  return sums.map(({ count, predicted, observed }) => {
    return count > 0
      ? { count, predicted: predicted / count, observed: observed / count }
      : { count, predicted, observed }
  })
}

function calibrationError(bins: readonly Bin[]): number {
  const count = bins.reduce((sum, bin) => sum + bin.count, 0)
  return bins.reduce(
    (sum, bin) => sum + (bin.count / count) * Math.abs(bin.predicted - bin.observed),
    0,
  )
}

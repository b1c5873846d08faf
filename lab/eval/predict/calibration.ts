/**
 * How far from calibrated a forecaster is, and how far from it a perfect one would seem on as few events:
 * the error of a sample is never 0, the less so the smaller it is.
 */

import type { Prediction } from '../../../cli/src/replay/predictions.ts'
import { type Chance, chanceOf, pick } from '../../../src/domain/testing/chance.ts'
import { qualityOf } from './measures.ts'

export interface Calibration {
  readonly agents: number
  /** Later events that the predictions were compared with. */
  readonly events: number
  /** Expected calibration error over ten bins of equal width, as it is usually given. */
  readonly ece: number
  /** The expected error over ten bins of equally many events, which no bin of a handful can move. */
  readonly equalCount: number
  /** What a perfect forecaster shows on average: each later event drawn with the probability forecast. */
  readonly floor: number
  /** What a perfect forecaster stays below nineteen times in twenty. */
  readonly floorMost: number
  /** Of samples of as many agents drawn from these: 90 % lie between. */
  readonly low: number
  readonly high: number
}

const BINS = 10
const DRAWS = 200
const SEED = 1

/** The predictions of one model, agent by agent. */
export function calibrationOf(byAgent: readonly (readonly Prediction[])[]): Calibration {
  const predictions = byAgent.flat()
  const chance = chanceOf(SEED)
  const perfect = drawn(() => qualityOf(predictions.map((one) => outcomeOf(one, chance))).ece)
  const resampled = drawn(() => qualityOf(byAgent.flatMap(() => pick(chance, byAgent))).ece)
  return {
    agents: byAgent.length,
    events: predictions.reduce((sum, { good, bad }) => sum + good + bad, 0),
    ece: qualityOf(predictions).ece,
    equalCount: equalCountError(predictions),
    floor: perfect.reduce((sum, ece) => sum + ece, 0) / perfect.length,
    floorMost: part(perfect, 0.95),
    low: part(resampled, 0.05),
    high: part(resampled, 0.95),
  }
}

/** In order, so that quantiles can be read. */
function drawn(draw: () => number): readonly number[] {
  return Array.from({ length: DRAWS }, draw).sort((a, b) => a - b)
}

function part(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}

/** The prediction with later events as they come where it is right. */
function outcomeOf({ value, good, bad }: Prediction, chance: Chance): Prediction {
  const count = good + bad
  const drawnGood = Array.from({ length: count }, chance).filter((one) => one < value).length
  return { value, good: drawnGood, bad: count - drawnGood }
}

/** A prediction that lies on the border of two bins belongs to the lower one. */
export function equalCountError(predictions: readonly Prediction[]): number {
  const sorted = [...predictions].sort((a, b) => a.value - b.value)
  const all = sorted.reduce((sum, { good, bad }) => sum + good + bad, 0)
  const gaps = new Array<number>(BINS).fill(0)
  let before = 0
  for (const { value, good, bad } of sorted) {
    const bin = Math.min(BINS - 1, Math.floor((BINS * before) / all))
    gaps[bin] = (gaps[bin] ?? 0) + value * (good + bad) - good
    before += good + bad
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / all
}

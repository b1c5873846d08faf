/**
 * Reports counted one by one, for the forecast. Two memories are kept: one of all, one of the latest
 * few; and how much better the first has predicted the outcomes, so that an agent that stays as it is
 * is judged by all its record, and one that has changed by what it does now. Time alone changes
 * neither: measured, an agent known for long is a better risk than one of the same record made today.
 */

import { clamp } from './math.ts'
import type { Model } from './model.ts'

export interface OutcomeCounts {
  /** All of them. */
  readonly good: number
  readonly bad: number
  /** The latest few. */
  readonly recentGood: number
  readonly recentBad: number
  /** How many times likelier the first memory made what came than the second did. */
  readonly likelihoodRatio: number
}

export const NO_OUTCOMES: OutcomeCounts = {
  good: 0,
  bad: 0,
  recentGood: 0,
  recentBad: 0,
  likelihoodRatio: 1,
}

export function copyOfCounts(counts: OutcomeCounts): OutcomeCounts {
  const { good, bad, recentGood, recentBad, likelihoodRatio } = counts
  return { good, bad, recentGood, recentBad, likelihoodRatio }
}

/** A rate so far, by Jeffreys' rule: half a good and half a bad report are added. */
function rateOf(model: Model, good: number, bad: number): number {
  return (good + model.forecastPrior) / (good + bad + 2 * model.forecastPrior)
}

/** Adds a report of a weight from 0 to 1. The forecasts for it are compared first. */
export function addOutcomeTo(
  model: Model,
  counts: { -readonly [K in keyof OutcomeCounts]: OutcomeCounts[K] },
  isGood: boolean,
  weight: number,
): void {
  const overall = rateOf(model, counts.good, counts.bad)
  const recent = rateOf(model, counts.recentGood, counts.recentBad)
  const ratio = isGood ? overall / recent : (1 - overall) / (1 - recent)
  const most = model.likelihoodRatioMax
  const kept = weight === 1 ? model.forecastMemory : 1 - weight * (1 - model.forecastMemory)
  counts.good += isGood ? weight : 0
  counts.bad += isGood ? 0 : weight
  counts.recentGood = counts.recentGood * kept + (isGood ? weight : 0)
  counts.recentBad = counts.recentBad * kept + (isGood ? 0 : weight)
  const likelier = counts.likelihoodRatio * (1 + weight * (ratio - 1))
  counts.likelihoodRatio = clamp(likelier, 1 / most, most)
}

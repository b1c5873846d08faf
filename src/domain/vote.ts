/** The vote that follows from what one voter reported, and its weights. */

import { exp } from './math.ts'
import type { Model } from './model.ts'
import { type MutableSource, mutableSource, type Source, type SourceTotals } from './source.ts'
import type { Sums } from './sums.ts'

/** The totals with what follows from them. */
export function sourceOf(model: Model, totals: SourceTotals, activeDays: number): Source {
  const source = mutableSource(totals)
  settle(model, source, activeDays)
  return source
}

/**
 * A vote is on the whole record. Under alarm it is a lower one, down to that on the reports since the alarm
 * began: an agent that works less well than before is not taken for one that cheats.
 */
export function settle(model: Model, source: MutableSource, activeDays: number): void {
  const good = source.reliabilityGood + source.financialGood
  const bad = source.reliabilityBad + source.financialBad
  const recorded = badOddsOf(model, source)
  const excess = Math.min(source.alarm, model.alarmMax) - model.alarmFrom
  const alarmed =
    excess > 0 ? Math.min(recorded * exp(excess), badOddsOf(model, source.latest)) : recorded
  source.vote = 1 / (1 + model.halfTrustOdds * Math.max(recorded, alarmed))
  const goodShare = good < model.goodFull ? good / model.goodFull : 1
  const badShare = bad < model.badFull ? bad / model.badFull : 1
  source.positiveWeight = source.positiveWeightMax * goodShare
  const dealShare = source.dealGood / model.goodFull
  source.monitorWeight =
    dealShare < goodShare ? source.positiveWeightMax * (goodShare - dealShare) : 0
  // Most reporters never complained: their decay is not worth an exponential.
  const complaint =
    bad === 0
      ? 0
      : source.negativeWeightMax * badShare * complaintFade(model, activeDays - source.complaintDay)
  const denial = (model.deniedBelow - source.vote) / (model.deniedBelow - model.deniedFully)
  source.negativeWeight = complaint * badShare
  source.jointWeight = denial > 0 ? complaint * Math.min(1, denial) : 0
  source.good = good
  const sample = good + bad > model.othersMax ? model.othersMax / (good + bad) : 1
  source.sampleGood = sample * good
  source.sampleBad = Math.min(model.othersBadMax, sample * bad)
}

/** Votes with as many good reports or more are the same beside so many others. */
export function goodAlone({ othersMax, othersBad }: Model, others: number): number {
  return (1 + othersMax * others) / othersBad - 1
}

/**
 * The vote beside others, which have so many good and bad reports in their samples. Otherwise platforms that have seen an
 * agent a few times each would trust it less the more of them there are. An alarm is not lessened.
 */
export function voteBeside(model: Model, source: Source, good: number, bad: number): number {
  const presumedBad = ((1 + source.good) * (model.othersBad + bad)) / (1 + good)
  return presumedBad >= 1 || source.alarm > model.alarmFrom
    ? source.vote
    : 1 / (1 + model.halfTrustOdds * badOddsOf(model, source, presumedBad))
}

/**
 * Each dimension is shrunk to the rate of both: what a platform has not seen it presumes to be like
 * the rest. Bad odds add up, so that one dimension does not make up for the other. Beside its reports one
 * good one is presumed, and a bad one or less.
 */
function badOddsOf(
  model: Model,
  { reliabilityGood, reliabilityBad, financialGood, financialBad }: Sums,
  presumedBad = 1,
): number {
  const good = reliabilityGood + financialGood
  const bad = reliabilityBad + financialBad
  const rate = (good + 1) / (good + bad + (1 + presumedBad))
  const priorGood = model.dimensionPrior * rate
  const priorBad = model.dimensionPrior - priorGood
  const { reliability, financial } = model.weights
  return (
    (reliability * ((reliabilityBad + priorBad) / (reliabilityGood + priorGood)) +
      financial * ((financialBad + priorBad) / (financialGood + priorGood))) /
    (reliability + financial)
  )
}

/** What is left of a complaint after a number of days with good reports. */
function complaintFade(model: Model, days: number): number {
  const fading = days - model.complaintFreshDays
  if (fading <= 0) {
    return 1
  }
  return Math.max(model.complaintFadeMin, exp((-Math.LN2 * fading) / model.complaintHalfDays))
}

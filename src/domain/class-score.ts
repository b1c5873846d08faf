/**
 * Trust in one class of work: the score as it would be if each report of the class counted several
 * times. Where little is known of the class the rest of the record decides, and where nothing is, the
 * class is scored as the whole. A reporter still has one vote, so the bounds of the score hold.
 */

import { betaOf, cdf, meanOf } from './beta.ts'
import { type ClassTotals, NO_CLASSES } from './class-trust.ts'
import { decayedTo } from './decay.ts'
import type { Evidence } from './evidence-state.ts'
import { forecastFrom, type Prospect, prospectOf } from './forecast.ts'
import type { Model } from './model.ts'
import { type Score, scoreAt } from './score.ts'
import type { Source } from './source.ts'
import { confidenceOf } from './tiers.ts'
import { sourceOf } from './vote.ts'

export interface ClassScore
  extends Pick<Score, 'score' | 'classification' | 'confidence' | 'interval' | 'disputed'> {
  readonly name: string
  /** Whether a platform with a vote of its own has reported this class; if not, all is of the whole. */
  readonly isKnown: boolean
  /** Reports of the class that are remembered, and by how many platforms. */
  readonly eventCount: number
  readonly platforms: number
  /** Points by which the score of the class differs from the whole. */
  readonly difference: number
  /** Of the next task of the class. */
  readonly forecast: Prospect | null
}

/** The score of a class at a time, milliseconds since 1970, beside the whole at that time. */
export function classScoreAt(
  model: Model,
  evidence: Evidence,
  name: string,
  at: number,
): ClassScore {
  const now = decayedTo(model, evidence, at)
  const known = knownOf(now, name)
  const eventCount = known.reduce((sum, { goodCount, badCount }) => sum + goodCount + badCount, 0)
  const { score: whole } = scoreAt(model, now, at)
  const inClass = known.length === 0 ? now : evidenceInClass(model, now, name)
  const scored = scoreAt(model, inClass, at)
  const { score, classification, disputed } = scored
  return {
    name,
    isKnown: known.length > 0,
    eventCount,
    platforms: known.length,
    score,
    classification,
    confidence: confidenceOf(eventCount),
    interval: known.length === 0 ? scored.interval : intervalOf(model, inClass, scored, at),
    disputed,
    difference: score - whole,
    forecast: forecastOf(model, now, known),
  }
}

function knownOf({ sources }: Evidence, name: string): readonly ClassTotals[] {
  return sources.flatMap(({ classes }) => classes.filter((one) => one.name === name))
}

/**
 * Of as many reports as there are, not of several times as many: the interval of a class that is hardly known is wide.
 * Other votes count what a vote has seen, so the score by fewer reports may differ.
 */
function intervalOf(
  model: Model,
  inClass: Evidence,
  { score }: Score,
  at: number,
): Score['interval'] {
  const size = 1 / (1 + model.classWeight)
  const sources = inClass.sources.map((source) => ({
    ...source,
    reliabilityGood: size * source.reliabilityGood,
    reliabilityBad: size * source.reliabilityBad,
  }))
  const { low, high } = scoreAt(model, { ...inClass, sources }, at).interval
  return { low: Math.min(low, score), high: Math.max(high, score) }
}

/**
 * The evidence as it would be if each report of the class counted several times in its vote. Votes are
 * kept for the day of the evidence.
 */
export function evidenceInClass(model: Model, evidence: Evidence, name: string): Evidence {
  const { sources } = evidence
  return { ...evidence, sources: sources.map((source) => voteInClass(model, source, name)) }
}

/**
 * The vote is on the class. Its weights stay those of the whole record, so that one report of a class
 * is not several complaints.
 */
function voteInClass(model: Model, source: Source, name: string): Source {
  const reports = source.classes.find((one) => one.name === name)
  const share = shareOfClasses(source)
  const good = model.classWeight * share.good * (reports?.good ?? 0)
  const bad = model.classWeight * share.bad * (reports?.bad ?? 0)
  const reliabilityGood = source.reliabilityGood + good
  const reliabilityBad = source.reliabilityBad + bad
  const { vote } = sourceOf(model, { ...source, reliabilityGood, reliabilityBad }, 0)
  return { ...source, classes: NO_CLASSES, reliabilityGood, reliabilityBad, vote }
}

/**
 * The classes are a part of the sums of work. Where counterparties are named, classes count all reports and
 * the sums do not: together they are then scaled down to the sums, good and bad each by itself.
 */
function shareOfClasses({ parties, classes, reliabilityGood, reliabilityBad }: Source) {
  if (parties.length === 0) {
    return { good: 1, bad: 1 }
  }
  const good = classes.reduce((sum, one) => sum + one.good, 0)
  const bad = classes.reduce((sum, one) => sum + one.bad, 0)
  return { good: shareOf(reliabilityGood, good), bad: shareOf(reliabilityBad, bad) }
}

function shareOf(part: number, whole: number): number {
  return whole > part ? part / whole : 1
}

/** The forecast of the whole, as this many reports of the class would have borne it out, and those. */
function forecastOf(
  model: Model,
  evidence: Evidence,
  known: readonly ClassTotals[],
): Prospect | null {
  const { task } = forecastFrom(model, evidence)
  if (!task || known.length === 0) {
    return task
  }
  const good = known.reduce((sum, { goodCount }) => sum + goodCount, 0)
  const bad = known.reduce((sum, { badCount }) => sum + badCount, 0)
  const prior = model.classForecastPrior
  const rate = betaOf(good + prior * task.probability, bad + prior * (1 - task.probability))
  return prospectOf(meanOf(rate), (x) => cdf(rate, x))
}

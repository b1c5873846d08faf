/** Evidence in, score out. Pure: the time comes in, nothing is remembered. */

import { type Assessment, assess, assessWhole, atOdds } from './assess.ts'
import { type Disputed, disputedOf } from './dispute.ts'
import type { Evidence } from './evidence-state.ts'
import { exposureLimit } from './exposure.ts'
import type { Model } from './model.ts'
import { type Classification, type Confidence, classify, confidenceOf } from './tiers.ts'

export { assess } from './assess.ts'
export type { Disputed } from './dispute.ts'

export interface DimensionScore {
  /** Integer, 0 to 1000. */
  readonly score: number
  /** Share of the whole, as the interface gives it. */
  readonly weight: number
  /** Share in this score: of work and payments one without events leaves its weight to the other;
   *  in thousandths. */
  readonly effectiveWeight: number
  readonly eventCount: number
}

export interface Breakdown {
  readonly reliability: DimensionScore
  readonly financial: DimensionScore
  readonly identity: DimensionScore
}

export interface Score {
  /** Integer, 0 to 1000. */
  readonly score: number
  readonly classification: Classification
  readonly confidence: Confidence
  readonly eventCount: number
  readonly breakdown: Breakdown
  /**
   * Where the score would stand if the agent's true rates were known: with 90 % probability, as far
   * as the evidence tells, between these integers. Disagreement among reporters widens it.
   */
  readonly interval: { readonly low: number; readonly high: number }
  readonly disputed: Disputed
  /** Dollars that may be at risk in one deal; null where no platform has reported a payment. */
  readonly exposureLimit: number | null
  /** Counted events, by who reported them. */
  readonly evidence: { readonly platformReported: number; readonly selfReported: number }
  readonly modelVersion: string
}

/** The score at a time, milliseconds since 1970. The evidence stays as it is. */
export function scoreAt(model: Model, evidence: Evidence, at: number): Score {
  const assessed = assess(model, evidence, at)
  const { now } = assessed
  const score = Math.round(assessed.whole)
  const eventCount = now.reliabilityCount + now.financialCount + now.identityCount
  return {
    score,
    classification: classify(score),
    confidence: confidenceOf(eventCount),
    eventCount,
    breakdown: breakdownOf(model, assessed),
    interval: { low: Math.round(assessed.low), high: Math.round(assessed.high) },
    disputed: disputedOf(model, assessed),
    exposureLimit: exposureLimit(model, now, score),
    evidence: { platformReported: eventCount - now.selfCount, selfReported: now.selfCount },
    modelVersion: model.version,
  }
}

/** The part of a score whose changes are published. */
export interface Published {
  readonly score: number
  readonly isDisputed: boolean
}

export function publishedAt(model: Model, evidence: Evidence, at: number): Published {
  const assessed = assessWhole(model, evidence, at)
  return {
    score: Math.round(assessed.whole),
    isDisputed: disputedOf(model, assessed).isDisputed,
  }
}

/** The score at a time if what is published of it is not as before; null for most events. */
export function movedScoreAt(
  model: Model,
  evidence: Evidence,
  at: number,
  before: Published,
): Score | null {
  const { score, isDisputed } = publishedAt(model, evidence, at)
  const isSame = score === before.score && isDisputed === before.isDisputed
  return isSame ? null : scoreAt(model, evidence, at)
}

/** Each dimension by the odds of its own totals, in proportion to what the votes agreed on. */
function breakdownOf(model: Model, assessed: Assessment): Breakdown {
  const { reliability, financial, identity } = model.weights
  const { reliabilityCount, financialCount, identityCount } = assessed.now
  const { reliabilityGood, reliabilityBad, financialGood, financialBad } = assessed.pooled
  const onlyWork = financialCount === 0 && reliabilityCount > 0
  const onlyMoney = reliabilityCount === 0 && financialCount > 0
  const both = thousandths(reliability + financial)
  return {
    reliability: {
      score: dimensionScore(model, assessed, reliabilityGood, reliabilityBad, reliabilityCount),
      weight: reliability,
      effectiveWeight: onlyWork ? both : onlyMoney ? 0 : reliability,
      eventCount: reliabilityCount,
    },
    financial: {
      score: dimensionScore(model, assessed, financialGood, financialBad, financialCount),
      weight: financial,
      effectiveWeight: onlyMoney ? both : onlyWork ? 0 : financial,
      eventCount: financialCount,
    },
    identity: {
      score: Math.round(model.scoreMax * assessed.identity),
      weight: identity,
      effectiveWeight: identity,
      eventCount: identityCount,
    },
  }
}

function dimensionScore(
  model: Model,
  { trust, aggregate, pooled }: Assessment,
  good: number,
  bad: number,
  eventCount: number,
): number {
  if (eventCount === 0) {
    return Math.round(model.scoreMax * model.unknownTrust)
  }
  if (aggregate.trust <= 0) {
    return Math.round(model.scoreMax * trust)
  }
  const whole =
    (pooled.reliabilityBad + pooled.financialBad + 1) /
    (pooled.reliabilityGood + pooled.financialGood + 1)
  const own = (bad + model.dimensionPrior * whole) / (good + model.dimensionPrior)
  const moved = (atOdds(aggregate.trust, whole / own) * trust) / aggregate.trust
  return Math.round(model.scoreMax * Math.min(1, moved))
}

function thousandths(x: number): number {
  return Math.round(1000 * x) / 1000
}

/** Evidence in, score out. Pure: the time comes in, nothing is remembered. */

import {
  type Assessment,
  assess,
  assessRest,
  assessWhole,
  atOdds,
  type WholeAssessment,
} from './assess.ts'
import { type Disputed, disputedOf, isDisputed } from './dispute.ts'
import type { Evidence } from './evidence-state.ts'
import { exposureLimit } from './exposure.ts'
import { clamp } from './math.ts'
import type { Model } from './model.ts'
import { type Classification, type Confidence, classify, confidenceOf } from './tiers.ts'

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
   * by the evidence, between these integers. Disagreement among reporters widens it.
   */
  readonly interval: { readonly low: number; readonly high: number }
  readonly disputed: Disputed
  /** Dollars that may be at risk in one deal; null where no platform has reported the amount of a good payment. */
  readonly exposureLimit: number | null
  /** Counted events, by who reported them: all but those that the service itself recorded. */
  readonly evidence: { readonly platformReported: number; readonly selfReported: number }
  readonly modelVersion: string
}

/** The score at a time, milliseconds since 1970. The evidence stays as it is. */
export function scoreAt(model: Model, evidence: Evidence, at: number): Score {
  return scoreOf(model, assess(model, evidence, at))
}

function scoreOf(model: Model, assessed: Assessment): Score {
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
    evidence: {
      platformReported: eventCount - now.selfCount - now.handoverCount,
      selfReported: now.selfCount,
    },
    modelVersion: model.version,
  }
}

/** The part of a score whose changes are published. */
export interface Published {
  readonly score: number
  readonly isDisputed: boolean
}

export function publishedAt(model: Model, evidence: Evidence, at: number): Published {
  return publishedOf(model, assessWhole(model, evidence, at))
}

function publishedOf(model: Model, assessed: WholeAssessment): Published {
  return {
    score: Math.round(assessed.whole),
    isDisputed: isDisputed(model, assessed),
  }
}

/** The score at a time if what is published of it is not as before; null for most events. */
export function movedScoreAt(
  model: Model,
  evidence: Evidence,
  at: number,
  before: Published,
): Score | null {
  const assessed = assessWhole(model, evidence, at)
  const { score, isDisputed } = publishedOf(model, assessed)
  const isSame = score === before.score && isDisputed === before.isDisputed
  return isSame ? null : scoreOf(model, assessRest(model, assessed))
}

/**
 * The parts of the score: weighted 40, 35 and 25, they add up to it. Work and payments differ by the odds
 * of their own totals; one without events stands where the other does. What lowers the whole, as a ceiling
 * does, lowers all three in proportion.
 */
function breakdownOf(model: Model, assessed: Assessment): Breakdown {
  const { reliability, financial, identity } = model.weights
  const { reliabilityCount, financialCount, identityCount } = assessed.now
  const onlyWork = financialCount === 0 && reliabilityCount > 0
  const onlyMoney = reliabilityCount === 0 && financialCount > 0
  const both = reliability + financial
  const { work, money } = partsOf(model, assessed)
  const points = both * assessed.trust + identity * assessed.identity
  const scale = points > 0 ? assessed.whole / points : 0
  return {
    reliability: {
      score: Math.round(scale * work),
      weight: reliability,
      effectiveWeight: onlyWork ? thousandths(both) : onlyMoney ? 0 : reliability,
      eventCount: reliabilityCount,
    },
    financial: {
      score: Math.round(scale * money),
      weight: financial,
      effectiveWeight: onlyMoney ? thousandths(both) : onlyWork ? 0 : financial,
      eventCount: financialCount,
    },
    identity: {
      score: Math.round(scale * assessed.identity),
      weight: identity,
      effectiveWeight: identity,
      eventCount: identityCount,
    },
  }
}

/** Trust in work and in payments: as far apart as their own totals, and together the trust in both. */
function partsOf(
  model: Model,
  assessed: Assessment,
): { readonly work: number; readonly money: number } {
  const { trust, now, pooled } = assessed
  if (now.reliabilityCount === 0 || now.financialCount === 0) {
    return { work: trust, money: trust }
  }
  const { reliability, financial } = model.weights
  const both = reliability + financial
  const apart =
    ownTrust(model, assessed, pooled.reliabilityGood, pooled.reliabilityBad) -
    ownTrust(model, assessed, pooled.financialGood, pooled.financialBad)
  // Neither leaves its range.
  const [ofWork, ofMoney] = [financial / both, reliability / both]
  const highest = Math.min((1 - trust) / ofWork, trust / ofMoney)
  const lowest = -Math.min(trust / ofWork, (1 - trust) / ofMoney)
  const difference = clamp(apart, lowest, highest)
  return { work: trust + ofWork * difference, money: trust - ofMoney * difference }
}

/** The trust that one dimension would earn by the odds of its own totals. */
function ownTrust(
  model: Model,
  { trust, aggregate, pooled }: Assessment,
  good: number,
  bad: number,
): number {
  if (aggregate.trust <= 0) {
    return trust
  }
  const whole =
    (pooled.reliabilityBad + pooled.financialBad + 1) /
    (pooled.reliabilityGood + pooled.financialGood + 1)
  const own = (bad + model.dimensionPrior * whole) / (good + model.dimensionPrior)
  return Math.min(1, (atOdds(aggregate.trust, whole / own) * trust) / aggregate.trust)
}

function thousandths(x: number): number {
  return Math.round(1000 * x) / 1000
}

/** Evidence in, score out. Pure: the time comes in, nothing is remembered. */

import { advanceTo, dayOf } from './decay.ts'
import { type DimensionTrust, dimensionTrust, identityOf, tenureDays } from './dimension.ts'
import { type Evidence, mutableCopy } from './evidence-state.ts'
import * as model from './model.ts'
import { type Classification, type Confidence, classify, confidenceOf } from './tiers.ts'

export interface DimensionScore {
  /** Integer, 0 to 1000. */
  readonly score: number
  /** Share of the whole, as the interface gives it. */
  readonly weight: number
  /** Share in this score: a dimension of which nothing bad is known lends part of its weight;
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
   * as the evidence tells, between these integers. The score itself is the cautious reading.
   */
  readonly interval: { readonly low: number; readonly high: number }
  /** Counted events, by who reported them. */
  readonly evidence: { readonly platformReported: number; readonly selfReported: number }
  readonly modelVersion: string
}

/** What a score is made of, before rounding. */
export interface Assessment {
  /** 0 to 1000. */
  readonly whole: number
  readonly low: number
  readonly high: number
  readonly reliability: DimensionTrust
  readonly financial: DimensionTrust
  /** 0 to 1. */
  readonly identity: number
  /** Weight that reliability has on loan from financial; below zero the other way round. */
  readonly moved: number
}

/** The score at a time, milliseconds since 1970. The evidence stays as it is. */
export function scoreAt(evidence: Evidence, at: number): Score {
  const assessed = assess(evidence, at)
  const { reliability, financial, identity } = assessed
  const moved = thousandths(assessed.moved)
  const part = (name: keyof Breakdown, trust: number, gained: number): DimensionScore => ({
    score: Math.round(model.SCORE_MAX * trust),
    weight: model.WEIGHTS[name],
    effectiveWeight: thousandths(model.WEIGHTS[name] + gained),
    eventCount: evidence[name].eventCount,
  })
  const breakdown = {
    reliability: part('reliability', reliability.trust, moved),
    financial: part('financial', financial.trust, -moved),
    identity: part('identity', identity, 0),
  }
  const score = Math.round(assessed.whole)
  const eventCount =
    evidence.reliability.eventCount + evidence.financial.eventCount + evidence.identity.eventCount
  return {
    score,
    classification: classify(score),
    confidence: confidenceOf(eventCount),
    eventCount,
    breakdown,
    interval: { low: Math.round(assessed.low), high: Math.round(assessed.high) },
    evidence: {
      platformReported: eventCount - evidence.selfReported,
      selfReported: evidence.selfReported,
    },
    modelVersion: model.MODEL_VERSION,
  }
}

/** The same before rounding, for explanations and proofs. */
export function assess(evidence: Evidence, at: number): Assessment {
  const now = passedTo(evidence, at)
  const today = dayOf(now.at)
  const reliability = dimensionTrust(now.reliability, today, model.RED_FLAG_RATE.reliability)
  const financial = dimensionTrust(now.financial, today, model.RED_FLAG_RATE.financial)
  const identity = identityOf(now, today)
  const moved = weightMoved(reliability, financial)
  const flag = Math.min(reliability.redFlagFactor, financial.redFlagFactor)
  const ceiling = ceilingOf(now, today)
  const whole = (work: number, money: number): number => {
    const { WEIGHTS } = model
    const weighed = (WEIGHTS.reliability + moved) * work + (WEIGHTS.financial - moved) * money
    return Math.min(ceiling, model.SCORE_MAX * flag * (weighed + WEIGHTS.identity * identity))
  }
  return {
    whole: whole(reliability.trust, financial.trust),
    low: whole(reliability.trustLow, financial.trustLow),
    high: whole(reliability.trustHigh, financial.trustHigh),
    reliability,
    financial,
    identity,
    moved,
  }
}

function passedTo(evidence: Evidence, at: number): Evidence {
  if (!(at > evidence.at) || dayOf(at) === dayOf(evidence.at)) {
    return evidence
  }
  const draft = mutableCopy(evidence)
  advanceTo(draft, at)
  return draft
}

/** Of work and money the weaker lends the stronger what it may of its weight. */
function weightMoved(reliability: DimensionTrust, financial: DimensionTrust): number {
  if (reliability.trust > financial.trust) {
    return model.WEIGHTS.financial * financial.transferableWeight
  }
  if (financial.trust > reliability.trust) {
    return -model.WEIGHTS.reliability * reliability.transferableWeight
  }
  return 0
}

/** The most an agent may score whose owner gave up a worse one, rising with its days of standing. */
function ceilingOf(evidence: Evidence, today: number): number {
  if (evidence.initialCeiling >= model.SCORE_MAX) {
    return model.SCORE_MAX
  }
  const healed = Math.min(1, tenureDays(evidence, today) / model.CEILING_DAYS)
  return evidence.initialCeiling + (model.SCORE_MAX - evidence.initialCeiling) * healed
}

function thousandths(x: number): number {
  return Math.round(1000 * x) / 1000
}

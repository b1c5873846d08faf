/** Evidence in, score out. Pure: the time comes in, nothing is remembered. */

import { advanceTo, dayOf } from './decay.ts'
import { type DimensionTrust, dimensionTrust, identityOf, tenureDays } from './dimension.ts'
import { type Evidence, mutableCopy } from './evidence-state.ts'
import type { Model } from './model.ts'
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
export function scoreAt(model: Model, evidence: Evidence, at: number): Score {
  const assessed = assess(model, evidence, at)
  const { reliability, financial, identity } = assessed
  const moved = thousandths(assessed.moved)
  const part = (name: keyof Breakdown, trust: number, gained: number): DimensionScore => ({
    score: Math.round(model.scoreMax * trust),
    weight: model.weights[name],
    effectiveWeight: thousandths(model.weights[name] + gained),
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
    modelVersion: model.version,
  }
}

/** The same before rounding, for explanations and proofs. */
export function assess(model: Model, evidence: Evidence, at: number): Assessment {
  const now = passedTo(model, evidence, at)
  const today = dayOf(now.at)
  const reliability = dimensionTrust(model, now.reliability, today, model.redFlagRate.reliability)
  const financial = dimensionTrust(model, now.financial, today, model.redFlagRate.financial)
  const identity = identityOf(model, now, today)
  const moved = weightMoved(model, reliability, financial)
  const flag = Math.min(reliability.redFlagFactor, financial.redFlagFactor)
  const ceiling = ceilingOf(model, now, today)
  const whole = (work: number, money: number): number => {
    const { weights } = model
    const weighed = (weights.reliability + moved) * work + (weights.financial - moved) * money
    return Math.min(ceiling, model.scoreMax * flag * (weighed + weights.identity * identity))
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

function passedTo(model: Model, evidence: Evidence, at: number): Evidence {
  if (!(at > evidence.at) || dayOf(at) === dayOf(evidence.at)) {
    return evidence
  }
  const draft = mutableCopy(evidence)
  advanceTo(model, draft, at)
  return draft
}

/** Of work and money the weaker lends the stronger what it may of its weight. */
function weightMoved(model: Model, reliability: DimensionTrust, financial: DimensionTrust): number {
  if (reliability.trust > financial.trust) {
    return model.weights.financial * financial.transferableWeight
  }
  if (financial.trust > reliability.trust) {
    return -model.weights.reliability * reliability.transferableWeight
  }
  return 0
}

/** The most an agent may score whose owner gave up a worse one, rising with its days of standing. */
function ceilingOf(model: Model, evidence: Evidence, today: number): number {
  if (evidence.initialCeiling >= model.scoreMax) {
    return model.scoreMax
  }
  const healed = Math.min(1, tenureDays(model, evidence, today) / model.ceilingDays)
  return evidence.initialCeiling + (model.scoreMax - evidence.initialCeiling) * healed
}

function thousandths(x: number): number {
  return Math.round(1000 * x) / 1000
}

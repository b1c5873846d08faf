/** Evidence in, score out. Pure: the time comes in, nothing is remembered. */
import * as model from './model.ts'
import { dayOf, passTo } from './passing.ts'
import { identityOf, type Standing, standingDays, standingOf } from './standing.ts'
import { draftOf, type Evidence } from './state.ts'
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
  readonly reliability: Standing
  readonly financial: Standing
  /** 0 to 1. */
  readonly identity: number
  /** Weights in force; they sum to 1. */
  readonly shares: Readonly<Record<keyof Breakdown, number>>
}

/** The score at a time, milliseconds since 1970. The evidence stays as it is. */
export function scoreAt(evidence: Evidence, at: number): Score {
  const { reliability, financial, identity, shares, ...assessed } = assess(evidence, at)
  const part = (name: keyof Breakdown, trust: number): DimensionScore => ({
    score: Math.round(model.SCORE_MAX * trust),
    weight: model.WEIGHTS[name],
    effectiveWeight: Math.round(1000 * shares[name]) / 1000,
    eventCount: evidence[name].eventCount,
  })
  const breakdown = {
    reliability: part('reliability', reliability.trust),
    financial: part('financial', financial.trust),
    identity: part('identity', identity),
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
  const reliability = standingOf(now.reliability, today, model.RED_FLAG_RATE.reliability)
  const financial = standingOf(now.financial, today, model.RED_FLAG_RATE.financial)
  const identity = identityOf(now, today)
  const shares = sharesOf(reliability, financial)
  const flag = Math.min(reliability.flag, financial.flag)
  const ceiling = ceilingOf(now, today)
  const whole = (work: number, money: number): number => {
    const sum = shares.reliability * work + shares.financial * money + shares.identity * identity
    return Math.min(ceiling, model.SCORE_MAX * flag * sum)
  }
  return {
    whole: whole(reliability.trust, financial.trust),
    low: whole(reliability.low, financial.low),
    high: whole(reliability.high, financial.high),
    reliability,
    financial,
    identity,
    shares,
  }
}

function passedTo(evidence: Evidence, at: number): Evidence {
  if (!(at > evidence.at) || dayOf(at) === dayOf(evidence.at)) return evidence
  const draft = draftOf(evidence)
  passTo(draft, at)
  return draft
}

/** Of work and money the weaker lends the stronger what it may of its weight. */
function sharesOf(reliability: Standing, financial: Standing): Assessment['shares'] {
  const { WEIGHTS } = model
  let moved = 0
  if (reliability.trust > financial.trust) moved = WEIGHTS.financial * financial.lends
  else if (financial.trust > reliability.trust) moved = -WEIGHTS.reliability * reliability.lends
  return {
    reliability: WEIGHTS.reliability + moved,
    financial: WEIGHTS.financial - moved,
    identity: WEIGHTS.identity,
  }
}

/** The most an agent may score whose owner gave up a worse one, rising with its days of standing. */
function ceilingOf(evidence: Evidence, today: number): number {
  const healed = Math.min(1, standingDays(evidence, today) / model.CEILING_DAYS)
  return evidence.startsAtMost + (model.SCORE_MAX - evidence.startsAtMost) * healed
}

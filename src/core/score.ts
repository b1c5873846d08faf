/** Evidence in, score out. Pure: the time comes in, nothing is remembered. */
import { exp, exp2 } from './math.ts'
import * as model from './model.ts'
import { dayOf, passTo } from './passing.ts'
import { draftOf, type Evidence } from './state.ts'
import { hear, tenureOf } from './testimony.ts'
import { type Classification, type Confidence, classify, confidenceOf } from './tiers.ts'

export interface DimensionScore {
  /** Integer, 0 to 1000. */
  readonly score: number
  /** Share of the whole, as the interface gives it. */
  readonly weight: number
  /** Share in this score: a dimension of which nothing bad is known lends part of its weight. */
  readonly effectiveWeight: number
  readonly eventCount: number
}

export interface Score {
  /** Integer, 0 to 1000. */
  readonly score: number
  readonly classification: Classification
  readonly confidence: Confidence
  readonly eventCount: number
  readonly breakdown: {
    readonly reliability: DimensionScore
    readonly financial: DimensionScore
    readonly identity: DimensionScore
  }
  /**
   * Where the score would stand if the agent's rates were known: with 90 % probability, as far as
   * the evidence tells, between these integers. The score itself is the cautious reading.
   */
  readonly interval: { readonly low: number; readonly high: number }
  /** Counted events, by who reported them. */
  readonly evidence: { readonly platformReported: number; readonly selfReported: number }
  readonly modelVersion: string
}

/** How far a dimension is to be trusted, 0 to 1: cautiously, and at both ends of the interval. */
interface Standing {
  readonly trust: number
  readonly low: number
  readonly high: number
  /** 1, or less if the dimension is bad even at best. */
  readonly flag: number
  /** Share of this dimension's weight that it may lend, 0 to WEIGHT_MOVED_MAX. */
  readonly lends: number
}

/** The score at a time, milliseconds since 1970. The evidence stays as it is. */
export function scoreAt(evidence: Evidence, at: number): Score {
  const now = at > evidence.at ? passedTo(evidence, at) : evidence
  const today = dayOf(now.at)
  const reliability = standingOf(now.reliability, today, model.RED_FLAG_RATE.reliability)
  const financial = standingOf(now.financial, today, model.RED_FLAG_RATE.financial)
  const identity = identityOf(now, today)
  const shares = sharesOf(reliability, financial)
  const flag = Math.min(reliability.flag, financial.flag)
  const ceiling = ceilingOf(now, today)
  const whole = (work: number, money: number) =>
    Math.min(
      ceiling,
      points(
        flag * (shares.reliability * work + shares.financial * money + shares.identity * identity),
      ),
    )
  const score = whole(reliability.trust, financial.trust)
  const eventCount = now.reliability.eventCount + now.financial.eventCount + now.identity.eventCount
  const part = (name: 'reliability' | 'financial' | 'identity', trust: number) => ({
    score: points(trust),
    weight: model.WEIGHTS[name],
    effectiveWeight: shares[name],
    eventCount: now[name].eventCount,
  })
  return {
    score,
    classification: classify(score),
    confidence: confidenceOf(eventCount),
    eventCount,
    breakdown: {
      reliability: part('reliability', reliability.trust),
      financial: part('financial', financial.trust),
      identity: part('identity', identity),
    },
    interval: {
      low: whole(reliability.low, financial.low),
      high: whole(reliability.high, financial.high),
    },
    evidence: {
      platformReported: eventCount - now.selfReported,
      selfReported: now.selfReported,
    },
    modelVersion: model.MODEL_VERSION,
  }
}

function passedTo(evidence: Evidence, at: number): Evidence {
  if (dayOf(at) === dayOf(evidence.at)) return evidence
  const draft = draftOf(evidence)
  passTo(draft, at)
  return draft
}

function points(trust: number): number {
  return Math.round(model.SCORE_MAX * trust)
}

/** Beta-like odds with a margin of one standard deviation of their logarithm. */
function standingOf(track: Evidence['reliability'], today: number, redFlagRate: number): Standing {
  const heard = hear(track, today)
  const good = model.PRIOR + heard.good
  const bad = model.PRIOR + heard.bad
  const odds = (good / bad) * recentRun(track, good, bad)
  const deviation = Math.sqrt(1 / good + 1 / bad)
  const margin = exp(deviation)
  const spread = exp(model.INTERVAL_DEVIATIONS * deviation)
  const best = odds * margin
  return {
    trust: trustAt(odds / margin),
    low: trustAt(odds / spread),
    high: trustAt(odds * spread),
    flag: Math.min(1, best / (1 + best) / redFlagRate),
    lends: model.WEIGHT_MOVED_MAX / bad,
  }
}

function trustAt(odds: number): number {
  return odds / (odds + model.HALF_TRUST_ODDS)
}

/** 1, or less if the latest run is worse than chance allows: its odds against those promised. */
function recentRun(track: Evidence['reliability'], good: number, bad: number): number {
  const mass = track.recentGood + track.recentBad
  const rate = good / (good + bad)
  const promised = (1 + mass * rate) / (1 + mass * (1 - rate))
  const seen = (1 + track.recentGood) / (1 + track.recentBad)
  return Math.min(1, Math.sqrt((model.RECENT_TOLERANCE * seen) / promised))
}

/** Weights in force: of work and money the weaker lends to the stronger what it may. */
function sharesOf(reliability: Standing, financial: Standing) {
  const { WEIGHTS } = model
  const ahead = reliability.trust > financial.trust
  const moved = ahead
    ? WEIGHTS.financial * financial.lends
    : -WEIGHTS.reliability * (financial.trust > reliability.trust ? reliability.lends : 0)
  return {
    reliability: WEIGHTS.reliability + moved,
    financial: WEIGHTS.financial - moved,
    identity: WEIGHTS.identity,
  }
}

/** Credentials, a platform's word for them, and time, less revocations; 0 to 1. */
function identityOf(evidence: Evidence, today: number): number {
  const { verified, claimed, revoked, withdrawn } = evidence.identity
  const credentials = verified + model.SELF_WEIGHT * claimed
  const revocations = revoked + model.SELF_WEIGHT * withdrawn
  const earned =
    model.CREDENTIALS_SHARE * (1 - exp2(-credentials)) +
    model.VERIFIED_SHARE * Math.min(1, verified) +
    model.TENURE_SHARE * (1 - exp2(-standingDays(evidence, today) / model.TENURE_HALF_DAYS))
  return (model.IDENTITY_START + (1 - model.IDENTITY_START) * earned) * exp2(-revocations)
}

function standingDays(evidence: Evidence, today: number): number {
  const since = dayOf(evidence.registeredAt)
  return Math.max(
    tenureOf(evidence.reliability, since, today),
    tenureOf(evidence.financial, since, today),
  )
}

/** The most an agent may score whose owner gave up a worse one, rising with its days of standing. */
function ceilingOf(evidence: Evidence, today: number): number {
  const healed = Math.min(1, standingDays(evidence, today) / model.CEILING_DAYS)
  return Math.floor(evidence.startsAtMost + (model.SCORE_MAX - evidence.startsAtMost) * healed)
}

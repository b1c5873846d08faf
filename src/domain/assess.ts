/** What a score is made of, before rounding. */

import {
  type Aggregate,
  type AggregateRange,
  aggregate,
  sharedAggregate,
  withRange,
} from './aggregate.ts'
import { decayedTo, tenureDays } from './decay.ts'
import type { Evidence } from './evidence-state.ts'
import { identityTrust } from './identity.ts'
import { clamp, exp } from './math.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'
import { dayOf } from './time.ts'

export interface Assessment {
  /** 0 to 1000. */
  readonly whole: number
  readonly low: number
  readonly high: number
  /** Trust in work and payments together, and in identity; 0 to 1. */
  readonly trust: number
  readonly identity: number
  readonly aggregate: AggregateRange
  readonly pooled: PooledTotals
  /** The evidence at the time of the assessment. */
  readonly now: Evidence
}

/** What shows whether an event changed the score. */
export interface WholeAssessment {
  readonly whole: number
  readonly aggregate: Aggregate
  readonly now: Evidence
}

/** The assessment at a time, milliseconds since 1970. The evidence stays as it is. */
export function assess(model: Model, evidence: Evidence, at: number): Assessment {
  const now = decayedTo(model, evidence, at)
  return assessBy(model, now, aggregate(model, now))
}

/** The assessment of which this part was assessed last. */
export function assessRest(model: Model, { now, aggregate }: WholeAssessment): Assessment {
  return assessBy(model, now, withRange(aggregate))
}

function assessBy(model: Model, now: Evidence, agreed: AggregateRange): Assessment {
  const basis = basisOf(model, now, agreed)
  const { grown, identity, identityShare, trust } = basis
  const pooled = pooledOf(now)
  const spread = spreadOf(model, pooled)
  const low = trustOf(model, 0, atOdds(agreed.low, 1 / spread), grown)
  const highest = atOdds(Math.max(agreed.high, 1 / (1 + model.halfTrustOdds)), spread)
  const high = trustOf(model, agreed.presumed, highest, 1)
  // The upper end leaves a minority out, and with it what the minority denies.
  const highMax = agreed.denied <= 0.5 ? basis.ownerMax : basis.ceiling
  const counted = identity * identityShare
  const whole = pointsOf(model, basis, trust, counted, basis.ceiling)
  return {
    whole,
    low: Math.min(whole, pointsOf(model, basis, low, counted, basis.ceiling)),
    high: Math.max(whole, pointsOf(model, basis, high, identity, highMax)),
    trust,
    identity: counted,
    aggregate: agreed,
    pooled,
    now,
  }
}

/** The part of the assessment that shows whether an event changed the score; its aggregate is to be read
 *  before the next assessment. */
export function assessWhole(model: Model, evidence: Evidence, at: number): WholeAssessment {
  const now = decayedTo(model, evidence, at)
  const agreed = sharedAggregate(model, now)
  const basis = basisOf(model, now, agreed)
  const { trust, identity, identityShare, ceiling } = basis
  const whole = pointsOf(model, basis, trust, identity * identityShare, ceiling)
  return { whole, aggregate: agreed, now }
}

/** What points are made of. */
interface Basis {
  readonly now: Evidence
  readonly tenureDays: number
  /** The share of its trust that the agent may have by its tenure. */
  readonly grown: number
  readonly trust: number
  readonly identity: number
  /** How much of the identity counts. */
  readonly identityShare: number
  /** The most the agent may score by its owner's other agents, and by what is denied of it as well. */
  readonly ownerMax: number
  readonly ceiling: number
}

function basisOf(model: Model, now: Evidence, agreed: Aggregate): Basis {
  const days = tenureDays(model, now, dayOf(now.at))
  const grown = grownShare(model, days)
  const ownerMax = ownerCeiling(model, now, days)
  return {
    now,
    tenureDays: days,
    grown,
    trust: trustOf(model, agreed.presumed, agreed.trust, grown),
    identity: identityTrust(model, now, days),
    identityShare: agreed.identityShare,
    ownerMax,
    ceiling: Math.min(deniedCeiling(model, agreed), ownerMax),
  }
}

function pointsOf(
  model: Model,
  { now, tenureDays: days }: Pick<Basis, 'now' | 'tenureDays'>,
  trust: number,
  identity: number,
  ceiling: number,
): number {
  const { reliability, financial, identity: identityWeight } = model.weights
  const points = model.scoreMax * ((reliability + financial) * trust + identityWeight * identity)
  const above = points - model.compressedFrom
  return Math.min(ceiling, above > 0 ? points - above * compression(model, now, days) : points)
}

/**
 * What is presumed of any agent, and beyond it what the votes agree on. Youth is a ceiling that is
 * approached and never reached: it limits a good new agent, hardly a bad one, and keeps their order.
 */
function trustOf(model: Model, presumed: number, agreed: number, grown: number): number {
  if (agreed <= 0) {
    return presumed
  }
  const trust = 1 / Math.sqrt(1 / (agreed * agreed) + 1 / (grown * grown) - 1)
  return presumed + (1 - model.unknownTrust) * trust
}

/** A trust with its odds multiplied by a factor. */
export function atOdds(trust: number, factor: number): number {
  return trust <= 0 ? 0 : trust >= 1 ? 1 : 1 / (1 + (1 / trust - 1) / factor)
}

/** The share of its trust that an agent of a given tenure may have. */
function grownShare(model: Model, days: number): number {
  const grown = Math.min(1, days / model.maturityDays)
  return model.youngShare + (1 - model.youngShare) * grown * grown
}

/** Not Good where more than a fifth of the weight denies it, or too much of it is in a run of bad reports. */
function deniedCeiling(model: Model, { denied, isInSharedRun }: Aggregate): number {
  const share = (denied - model.deniedFrom) / (model.deniedTo - model.deniedFrom)
  const lost = isInSharedRun ? 1 : clamp(share, 0, 1)
  return model.scoreMax - (model.scoreMax - model.deniedCeiling) * lost
}

/**
 * The most an agent may score whose owner has a worse one, rising with its days of tenure, or that acts for
 * a worse one: that ceiling rises with its parent's score alone.
 */
function ownerCeiling(model: Model, { ceiling, parentCeiling }: Evidence, days: number): number {
  if (ceiling >= model.scoreMax) {
    return parentCeiling
  }
  const healed = Math.min(1, days / model.ceilingDays)
  return Math.min(parentCeiling, ceiling + (model.scoreMax - ceiling) * healed)
}

/**
 * How far what lies above `compressedFrom` is compressed into the upper end of Good: the share of it that is
 * lost. A better agent still scores higher.
 */
function compression(model: Model, now: Evidence, days: number): number {
  const { compressedFrom, compressedTo, scoreMax } = model
  const most = (scoreMax - compressedTo) / (scoreMax - compressedFrom)
  return most * (1 - openShare(model, now, days))
}

/**
 * How far the way to Excellent is open: as far as time has opened it, and the good reports by established platforms
 * of work, of payments, and by others than the one platform that has the most of them. A platform's reports of
 * one kind count as far as they are better than those of a vote of a half: reports that are mostly bad open
 * nothing.
 */
function openShare(model: Model, { sources }: Evidence, days: number): number {
  const { excellentDaysMin, excellentDaysFull, excellentReports } = model
  if (days <= excellentDaysMin) {
    return 0
  }
  const byTime = (days - excellentDaysMin) / (excellentDaysFull - excellentDaysMin)
  let ofWork = 0
  let ofMoney = 0
  let byOne = 0
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Source
    if (source.positiveWeightMax >= 1) {
      const work = surplus(model, source.reliabilityGood, source.reliabilityBad)
      const money = surplus(model, source.financialGood, source.financialBad)
      ofWork += work
      ofMoney += money
      byOne = Math.max(byOne, work + money)
    }
  }
  const byOthers = ofWork + ofMoney - byOne
  return Math.min(1, byTime, Math.min(ofWork, ofMoney, byOthers) / excellentReports)
}

/** The good reports that the bad ones leave at the odds at which a vote is a half. */
function surplus({ halfTrustOdds }: Model, good: number, bad: number): number {
  return Math.max(0, good - halfTrustOdds * bad)
}

/** The totals of the platforms with votes of their own, each by its weight; those of the crowd where no platform has one. */
export interface PooledTotals {
  reliabilityGood: number
  reliabilityBad: number
  financialGood: number
  financialBad: number
}

function pooledOf({ sources, crowd }: Evidence): PooledTotals {
  const sum = { reliabilityGood: 0, reliabilityBad: 0, financialGood: 0, financialBad: 0 }
  if (sources.length === 0) {
    addWeighted(sum, crowd)
  }
  for (let i = 0; i < sources.length; i++) {
    addWeighted(sum, sources[i] as Source)
  }
  return sum
}

function addWeighted(sum: PooledTotals, source: Source): void {
  sum.reliabilityGood += source.positiveWeightMax * source.reliabilityGood
  sum.reliabilityBad += source.negativeWeightMax * source.reliabilityBad
  sum.financialGood += source.positiveWeightMax * source.financialGood
  sum.financialBad += source.negativeWeightMax * source.financialBad
}

/** The factor by which the odds may be wrong, either way, for want of reports. */
function spreadOf(model: Model, pooled: PooledTotals): number {
  const good = 1 + pooled.reliabilityGood + pooled.financialGood
  const bad = 1 + pooled.reliabilityBad + pooled.financialBad
  return exp(model.intervalDeviations * Math.sqrt(1 / good + 1 / bad))
}

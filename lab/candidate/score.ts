/** Evidence in, score out. Pure: the time comes in, nothing is remembered. */

import { clamp, exp, exp2 } from '../../src/domain/math.ts'
import {
  type Classification,
  type Confidence,
  classify,
  confidenceOf,
} from '../../src/domain/tiers.ts'
import { type Agreed, agree, votesOf } from './aggregate.ts'
import { agedTo, dayOf, type Evidence } from './evidence.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'

export interface DimensionScore {
  /** Integer, 0 to 1000. */
  readonly score: number
  /** Share of the whole, as the interface gives it. */
  readonly weight: number
  /** Share in this score: a dimension without reports lends its weight to the other. */
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
  /** Where the score would stand if the agent's true rates were known: with 90 % probability between
   *  these; disagreement among reporters widens it. */
  readonly interval: { readonly low: number; readonly high: number }
  readonly disputed: {
    readonly isDisputed: boolean
    readonly platformsFor: number
    readonly platformsAgainst: number
  }
  /** Dollars that may be at risk in one deal; null where no platform has seen a payment. */
  readonly exposureLimit: number | null
  readonly evidence: { readonly platformReported: number; readonly selfReported: number }
  readonly modelVersion: string
}

/** What a score is made of, before rounding. */
export interface Assessment {
  /** 0 to 1000. */
  readonly whole: number
  readonly low: number
  readonly high: number
  /** Trust in work and money together, 0 to 1, and in identity. */
  readonly trust: number
  readonly identity: number
  readonly agreed: Agreed
  readonly pooled: Readonly<Pooled>
  readonly now: Evidence
}

export function scoreAt(model: Model, evidence: Evidence, at: number): Score {
  const assessed = assess(model, evidence, at)
  const { now, agreed } = assessed
  const score = Math.round(assessed.whole)
  const eventCount = now.workCount + now.moneyCount + now.identityCount
  const sides = sidesOf(model, now)
  const minority = Math.min(agreed.against, agreed.inFavour)
  return {
    score,
    classification: classify(score),
    confidence: confidenceOf(eventCount),
    eventCount,
    breakdown: breakdownOf(model, assessed),
    interval: { low: Math.round(assessed.low), high: Math.round(assessed.high) },
    disputed: {
      isDisputed:
        sides.platformsFor > 0 &&
        sides.platformsAgainst > 0 &&
        minority >= model.disputedShare * (agreed.against + agreed.inFavour),
      ...sides,
    },
    exposureLimit: exposureOf(model, now, score),
    evidence: { platformReported: eventCount - now.selfCount, selfReported: now.selfCount },
    modelVersion: model.version,
  }
}

export function assess(model: Model, evidence: Evidence, at: number): Assessment {
  const now = agedTo(model, evidence, at)
  const today = dayOf(now.at)
  const agreed = agree(model, votesOf(model, now))
  const days = standingDays(model, now, today)
  const grown = grownShare(model, days)
  const identity = identityOf(model, now, days)
  const trust = trustOf(model, agreed.presumed, agreed.trust, grown)
  const ceiling = Math.min(deniedCeiling(model, agreed.denied), ownerCeiling(model, now, days))
  const { reliability, financial, identity: third } = model.weights
  const held = heldBelowExcellent(model, now, days)
  const whole = (of: number, standing: number): number => {
    const points = 1000 * ((reliability + financial) * of + third * identity * standing)
    return Math.min(ceiling, held ? pressed(model, points) : points)
  }
  const pooled = pooledOf(now)
  const spread = spreadOf(model, pooled)
  const standing = clamp(
    (model.identityTo - agreed.condemned) / (model.identityTo - model.identityFrom),
    0,
    1,
  )
  const low = trustOf(model, 0, atOdds(agreed.low, 1 / spread), grown)
  const high = trustOf(
    model,
    agreed.presumed,
    atOdds(Math.max(agreed.high, floorOf(model)), spread),
    1,
  )
  const middle = whole(trust, standing)
  return {
    whole: middle,
    low: Math.min(middle, whole(low, standing)),
    high: Math.max(middle, whole(high, 1)),
    trust,
    identity: identity * standing,
    agreed,
    pooled,
    now,
  }
}

/**
 * What is presumed of anyone, and beyond it what the votes agree on. Youth is a ceiling that is approached,
 * not reached: it holds a good newcomer back, leaves a bad one alone, and keeps their order.
 */
function trustOf(model: Model, presumed: number, agreed: number, grown: number): number {
  if (agreed <= 0) {
    return presumed
  }
  const trust = 1 / Math.sqrt(1 / (agreed * agreed) + 1 / (grown * grown) - 1)
  return presumed + (1 - model.unknownTrust) * trust
}

/** The vote of one good and one bad report. */
function floorOf(model: Model): number {
  return 1 / (1 + model.halfTrustOdds)
}

/** A trust moved by a factor of its odds. */
function atOdds(trust: number, factor: number): number {
  return trust <= 0 ? 0 : trust >= 1 ? 1 : 1 / (1 + (1 / trust - 1) / factor)
}

/** What all platforms said together, each by its weight. */
interface Pooled {
  workGood: number
  workBad: number
  moneyGood: number
  moneyBad: number
}

function pooledOf({ sources, crowd }: Evidence): Pooled {
  const sum = { workGood: 0, workBad: 0, moneyGood: 0, moneyBad: 0 }
  for (let i = -1; i < sources.length; i++) {
    const source = i < 0 ? crowd : (sources[i] as Source)
    sum.workGood += source.upWeight * source.workGood
    sum.workBad += source.downWeight * source.workBad
    sum.moneyGood += source.upWeight * source.moneyGood
    sum.moneyBad += source.downWeight * source.moneyBad
  }
  return sum
}

/** What the odds may be off by, either way, for want of reports. */
function spreadOf(model: Model, { workGood, workBad, moneyGood, moneyBad }: Pooled): number {
  const variance = 1 / (1 + workGood + moneyGood) + 1 / (1 + workBad + moneyBad)
  return exp(model.intervalDeviations * Math.sqrt(variance))
}

/** Days of standing: of those gone by, no more than the days with good reports earn. */
export function standingDays(
  model: Model,
  { firstDay, activeDays }: Evidence,
  today: number,
): number {
  return firstDay < 0 ? 0 : Math.min(today - firstDay, model.daysPerActiveDay * activeDays)
}

/** The share of its trust that an agent of so many days of standing may have. */
function grownShare(model: Model, days: number): number {
  const grown = Math.min(1, days / model.maturityDays)
  return model.youngShare + (1 - model.youngShare) * grown * grown
}

/** Credentials and time, less revocations. */
function identityOf(model: Model, evidence: Evidence, days: number): number {
  const { verified, claimed, revoked, withdrawn } = evidence
  const earned =
    model.credentialShare * (1 - exp2(-(verified + model.selfShare * claimed))) +
    (1 - model.credentialShare) * (1 - exp2(-days / model.tenureHalfDays))
  const identity = model.identityStart + (1 - model.identityStart) * earned
  const against = revoked + model.selfShare * withdrawn
  return against > 0 ? identity * exp2(-against) : identity
}

/** Not Good where a fifth of the weight and more denies it. */
function deniedCeiling(model: Model, denied: number): number {
  const share = (denied - model.deniedFrom) / (model.deniedTo - model.deniedFrom)
  if (share <= 0) {
    return 1000
  }
  return 1000 - (1000 - model.deniedCeiling) * Math.min(1, share)
}

/**
 * Excellent takes enough established platforms, both kinds of work and time. Without them what lies above
 * is pressed into the upper end of Good, in its order: who is better still stands higher.
 */
function heldBelowExcellent(
  model: Model,
  { sources, moneyCount, workCount }: Evidence,
  days: number,
): boolean {
  if (days < model.excellentDays || moneyCount === 0 || workCount === 0) {
    return true
  }
  let platforms = 0
  for (const { upWeight, up } of sources) {
    if (upWeight >= 1 && up >= 1) {
      platforms += 1
    }
  }
  return platforms < model.excellentPlatforms
}

function pressed(model: Model, points: number): number {
  const { pressedFrom, pressedTo } = model
  if (points <= pressedFrom) {
    return points
  }
  return pressedFrom + ((points - pressedFrom) * (pressedTo - pressedFrom)) / (1000 - pressedFrom)
}

/** The most an agent may score whose owner has a worse one, rising with its days of standing. */
function ownerCeiling(model: Model, { initialCeiling }: Evidence, days: number): number {
  if (initialCeiling >= 1000) {
    return 1000
  }
  return initialCeiling + (1000 - initialCeiling) * Math.min(1, days / model.ceilingDays)
}

function sidesOf(
  model: Model,
  { sources }: Evidence,
): { platformsFor: number; platformsAgainst: number } {
  let platformsFor = 0
  let platformsAgainst = 0
  for (const { vote, up, down, upWeight, downWeight } of sources) {
    if (vote >= model.against && up >= upWeight / 2 && up > 0) {
      platformsFor += 1
    }
    if (vote < model.against && down >= downWeight / 2 && down > 0) {
      platformsAgainst += 1
    }
  }
  return { platformsFor, platformsAgainst }
}

/** Each dimension by its own pooled odds, in proportion to what the votes agreed on. */
function breakdownOf(
  model: Model,
  { now, trust, identity, agreed, pooled }: Assessment,
): Score['breakdown'] {
  const { reliability, financial, identity: third } = model.weights
  const { workGood, workBad, moneyGood, moneyBad } = pooled
  const both = (workBad + moneyBad + 1) / (workGood + moneyGood + 1)
  const score = (good: number, bad: number, count: number): number => {
    if (count === 0) {
      return Math.round(1000 * model.unknownTrust)
    }
    if (agreed.trust <= 0) {
      return Math.round(1000 * trust)
    }
    const odds = (bad + model.dimensionPrior * both) / (good + model.dimensionPrior)
    return Math.round(
      1000 * Math.min(1, (atOdds(agreed.trust, both / odds) * trust) / agreed.trust),
    )
  }
  const onlyWork = now.moneyCount === 0 && now.workCount > 0
  const onlyMoney = now.workCount === 0 && now.moneyCount > 0
  const all = Math.round(1000 * (reliability + financial)) / 1000
  return {
    reliability: {
      score: score(workGood, workBad, now.workCount),
      weight: reliability,
      effectiveWeight: onlyWork ? all : onlyMoney ? 0 : reliability,
      eventCount: now.workCount,
    },
    financial: {
      score: score(moneyGood, moneyBad, now.moneyCount),
      weight: financial,
      effectiveWeight: onlyMoney ? all : onlyWork ? 0 : financial,
      eventCount: now.moneyCount,
    },
    identity: {
      score: Math.round(1000 * identity),
      weight: third,
      effectiveWeight: third,
      eventCount: now.identityCount,
    },
  }
}

/**
 * What the agent carried for the reporters with a vote of their own, by the weighted lower median, so
 * that no minority raises it; times one at Good, twice at 1000, nothing at Poor and below.
 */
function exposureOf(model: Model, { sources }: Evidence, score: number): number | null {
  let all = 0
  const ordered: Source[] = []
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Source
    if (source.moneyGood === 0) {
      continue
    }
    all += source.up
    let place = ordered.length
    for (; place > 0 && (ordered[place - 1] as Source).carried > source.carried; place--) {
      ordered[place] = ordered[place - 1] as Source
    }
    ordered[place] = source
  }
  if (ordered.length === 0) {
    return null
  }
  let below = 0
  let carried = 0
  for (let i = 0; i < ordered.length && below < all / 2; i++) {
    const source = ordered[i] as Source
    below += source.up
    carried = source.carried
  }
  const factor = Math.max(
    0,
    (score - model.exposureFrom) / (model.exposureWhole - model.exposureFrom),
  )
  return Math.round(factor * (exp2(carried) - 1))
}

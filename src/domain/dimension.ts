/** How far the evidence of one dimension is to be trusted, 0 to 1. */

import { aggregateReports, tenureOf } from './aggregate.ts'
import { dayOf } from './decay.ts'
import type { Evidence } from './evidence-state.ts'
import { exp, exp2 } from './math.ts'
import type { Model } from './model.ts'

type Track = Evidence['reliability']

/** Standing in work or money: cautiously, and at both ends of the interval. */
export interface DimensionTrust {
  readonly trust: number
  readonly trustLow: number
  readonly trustHigh: number
  /** 1, or less if the dimension is bad even at best. */
  readonly redFlagFactor: number
  /** Share of this dimension's weight that it may lend, 0 to WEIGHT_MOVED_MAX. */
  readonly transferableWeight: number
}

/**
 * The odds of good to bad are read three ways: as they are, and with a margin either way in
 * deviations of their logarithm. Each reading is then held against the latest run.
 */
export function dimensionTrust(
  model: Model,
  track: Track,
  today: number,
  redFlagRate: number,
): DimensionTrust {
  const heard = aggregateReports(model, track, today)
  const good = model.prior + heard.good
  const bad = model.prior + heard.bad
  const odds = good / bad
  const deviation = Math.sqrt(1 / good + 1 / bad)
  const spread = exp(model.intervalDeviations * deviation)
  const best = afterRecentRun(model, track, odds * spread)
  return {
    trust: trustAt(model, afterRecentRun(model, track, odds / exp(deviation))),
    trustLow: trustAt(model, afterRecentRun(model, track, odds / spread)),
    trustHigh: trustAt(model, best),
    redFlagFactor: Math.min(1, best / (1 + best) / redFlagRate),
    transferableWeight: model.weightMovedMax / bad,
  }
}

function trustAt(model: Model, odds: number): number {
  return odds / (odds + model.halfTrustOdds)
}

/**
 * The odds, lowered if the latest run is worse than chance allows where they hold: by the square
 * root of what is missing, so that half of what a run shows is taken as lasting. Greater odds stay
 * greater: what a reading gains is more than what it then promises of the run.
 */
function afterRecentRun(model: Model, track: Track, odds: number): number {
  const { recentGood, recentBad } = track
  const mass = recentGood + recentBad
  const promised = (1 + odds + mass * odds) / (1 + odds + mass)
  const tolerated = (model.recentTolerance * (1 + recentGood)) / (1 + recentBad)
  return tolerated >= promised ? odds : odds * Math.sqrt(tolerated / promised)
}

/** Standing in identity: credentials, a platform's word for them, and time, less revocations. */
export function identityOf(model: Model, evidence: Evidence, today: number): number {
  const { verified, claimed, revoked, withdrawn } = evidence.identity
  const credentials = verified + model.selfWeight * claimed
  const revocations = revoked + model.selfWeight * withdrawn
  const earned =
    model.credentialsShare * (1 - exp2(-credentials)) +
    model.verifiedShare * Math.min(1, verified) +
    model.tenureShare * (1 - exp2(-tenureDays(model, evidence, today) / model.tenureHalfDays))
  return (model.identityStart + (1 - model.identityStart) * earned) * exp2(-revocations)
}

/** Days of standing of the whole agent, by the busier of its two tracks. */
export function tenureDays(model: Model, evidence: Evidence, today: number): number {
  const since = dayOf(evidence.registeredAt)
  return Math.max(
    tenureOf(model, evidence.reliability, since, today),
    tenureOf(model, evidence.financial, since, today),
  )
}

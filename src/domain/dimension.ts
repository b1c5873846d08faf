/** How far the evidence of one dimension is to be trusted, 0 to 1. */

import { aggregateReports, tenureOf } from './aggregate.ts'
import { dayOf } from './decay.ts'
import type { Evidence } from './evidence-state.ts'
import { exp, exp2 } from './math.ts'
import * as model from './model.ts'

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
export function dimensionTrust(track: Track, today: number, redFlagRate: number): DimensionTrust {
  const heard = aggregateReports(track, today)
  const good = model.PRIOR + heard.good
  const bad = model.PRIOR + heard.bad
  const odds = good / bad
  const deviation = Math.sqrt(1 / good + 1 / bad)
  const spread = exp(model.INTERVAL_DEVIATIONS * deviation)
  const best = afterRecentRun(track, odds * spread)
  return {
    trust: trustAt(afterRecentRun(track, odds / exp(deviation))),
    trustLow: trustAt(afterRecentRun(track, odds / spread)),
    trustHigh: trustAt(best),
    redFlagFactor: Math.min(1, best / (1 + best) / redFlagRate),
    transferableWeight: model.WEIGHT_MOVED_MAX / bad,
  }
}

function trustAt(odds: number): number {
  return odds / (odds + model.HALF_TRUST_ODDS)
}

/**
 * The odds, lowered if the latest run is worse than chance allows where they hold: by the square
 * root of what is missing, so that half of what a run shows is taken as lasting. Greater odds stay
 * greater: what a reading gains is more than what it then promises of the run.
 */
function afterRecentRun(track: Track, odds: number): number {
  const { recentGood, recentBad } = track
  const mass = recentGood + recentBad
  const promised = (1 + odds + mass * odds) / (1 + odds + mass)
  const tolerated = (model.RECENT_TOLERANCE * (1 + recentGood)) / (1 + recentBad)
  return tolerated >= promised ? odds : odds * Math.sqrt(tolerated / promised)
}

/** Standing in identity: credentials, a platform's word for them, and time, less revocations. */
export function identityOf(evidence: Evidence, today: number): number {
  const { verified, claimed, revoked, withdrawn } = evidence.identity
  const credentials = verified + model.SELF_WEIGHT * claimed
  const revocations = revoked + model.SELF_WEIGHT * withdrawn
  const earned =
    model.CREDENTIALS_SHARE * (1 - exp2(-credentials)) +
    model.VERIFIED_SHARE * Math.min(1, verified) +
    model.TENURE_SHARE * (1 - exp2(-tenureDays(evidence, today) / model.TENURE_HALF_DAYS))
  return (model.IDENTITY_START + (1 - model.IDENTITY_START) * earned) * exp2(-revocations)
}

/** Days of standing of the whole agent, by the busier of its two tracks. */
export function tenureDays(evidence: Evidence, today: number): number {
  const since = dayOf(evidence.registeredAt)
  return Math.max(
    tenureOf(evidence.reliability, since, today),
    tenureOf(evidence.financial, since, today),
  )
}

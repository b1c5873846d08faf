/** How far the evidence of one dimension is to be trusted, 0 to 1. */
import { exp, exp2 } from './math.ts'
import * as model from './model.ts'
import { dayOf } from './passing.ts'
import type { Evidence } from './state.ts'
import { hear, tenureOf } from './testimony.ts'

type Track = Evidence['reliability']

/** Standing in work or money: cautiously, and at both ends of the interval. */
export interface Standing {
  readonly trust: number
  readonly low: number
  readonly high: number
  /** 1, or less if the dimension is bad even at best. */
  readonly flag: number
  /** Share of this dimension's weight that it may lend, 0 to WEIGHT_MOVED_MAX. */
  readonly lends: number
}

/** Odds of good to bad, lowered by a bad run of late, with margins in deviations of their logarithm. */
export function standingOf(track: Track, today: number, redFlagRate: number): Standing {
  const heard = hear(track, today)
  const good = model.PRIOR + heard.good
  const bad = model.PRIOR + heard.bad
  const odds = (good / bad) * recentRun(track, good, bad)
  const deviation = Math.sqrt(1 / good + 1 / bad)
  const spread = exp(model.INTERVAL_DEVIATIONS * deviation)
  const best = odds * spread
  return {
    trust: trustAt(odds / exp(deviation)),
    low: trustAt(odds / spread),
    high: trustAt(best),
    flag: Math.min(1, best / (1 + best) / redFlagRate),
    lends: model.WEIGHT_MOVED_MAX / bad,
  }
}

function trustAt(odds: number): number {
  return odds / (odds + model.HALF_TRUST_ODDS)
}

/**
 * 1, or less if the latest run is worse than chance allows: the square root of its odds over those
 * that the whole record promises. Half of what the run shows is so taken as lasting.
 */
function recentRun(track: Track, good: number, bad: number): number {
  const mass = track.recentGood + track.recentBad
  const rate = good / (good + bad)
  const promised = (1 + mass * rate) / (1 + mass * (1 - rate))
  const seen = (1 + track.recentGood) / (1 + track.recentBad)
  return Math.min(1, Math.sqrt((model.RECENT_TOLERANCE * seen) / promised))
}

/** Standing in identity: credentials, a platform's word for them, and time, less revocations. */
export function identityOf(evidence: Evidence, today: number): number {
  const { verified, claimed, revoked, withdrawn } = evidence.identity
  const credentials = verified + model.SELF_WEIGHT * claimed
  const revocations = revoked + model.SELF_WEIGHT * withdrawn
  const earned =
    model.CREDENTIALS_SHARE * (1 - exp2(-credentials)) +
    model.VERIFIED_SHARE * Math.min(1, verified) +
    model.TENURE_SHARE * (1 - exp2(-standingDays(evidence, today) / model.TENURE_HALF_DAYS))
  return (model.IDENTITY_START + (1 - model.IDENTITY_START) * earned) * exp2(-revocations)
}

/** Days of standing of the whole agent, by the busier of its two tracks. */
export function standingDays(evidence: Evidence, today: number): number {
  const since = dayOf(evidence.registeredAt)
  return Math.max(
    tenureOf(evidence.reliability, since, today),
    tenureOf(evidence.financial, since, today),
  )
}

/**
 * What nobody can exceed, whatever happens. Promised in docs/scoring.md and held by bounds.test.ts on
 * random histories; for the reader of a score who asks what an attacker could have made of it.
 */

import { coldStartDamping, massLimit } from './aggregate.ts'
import type { EventType } from './event.ts'
import { exp, exp2 } from './math.ts'
import { MODEL } from './model.ts'

/**
 * Most points by which one event moves the score at its instant: up for good ones, down for bad ones. A
 * tenth above the greatest that was found by climbing, history by history, to ever greater steps: such
 * histories are far from ordinary ones. Of a credential it is exact.
 */
export const STEP_MAX: Readonly<Record<EventType, number>> = {
  'task.completed': 165,
  'task.failed': 265,
  'task.timeout': 280,
  'payment.completed': 330,
  'payment.failed': 800,
  'payment.late': 830,
  'payment.disputed': 830,
  'uptime.report': 100,
  'error.reported': 375,
  'credential.issued': 88,
  'credential.revoked': 160,
}

/** Self-reports alone never bring more than this: Untrusted. */
export const SELF_ONLY_MAX = 290

/** From an honest history of any length, so many failed tasks, or payments of 100 dollars, told by
 *  those who told of good ones, take the agent below Fair. */
export const BETRAYAL_EVENTS_MAX = 160

/**
 * The score that no agent exceeds of which only so many platforms have spoken, so many days after its
 * first event, with as many good events and credentials as they like and its own reports besides.
 */
export function mostByPlatforms(platforms: number, days: number): number {
  const youth = coldStartDamping(MODEL, days)
  const each = most(MODEL.platformMassMax, youth)
  const said = each * Math.min(platforms, MODEL.platformsMax + 1)
  const self = MODEL.selfGoodMax + MODEL.selfGoodShare * said
  const heard = said + self * massLimit(MODEL, self, MODEL.platformMassMax, youth)
  const good = MODEL.prior + heard * massLimit(MODEL, heard, MODEL.dimensionMassMax, youth)
  const odds = good / exp(Math.sqrt(1 / good + 1 / MODEL.prior))
  const trust = odds / (odds + MODEL.halfTrustOdds)
  const { reliability, financial, identity } = MODEL.weights
  return MODEL.scoreMax * ((reliability + financial) * trust + identity * identityAfter(days))
}

/** What counts of a platform that says no end of good. */
function most(massMax: number, youth: number): number {
  return Math.min(massMax, youth > 0 ? (MODEL.coldStartShare * massMax) / youth : massMax)
}

/** Identity with all credentials one could wish for. */
function identityAfter(days: number): number {
  const tenure = MODEL.tenureShare * (1 - exp2(-days / MODEL.tenureHalfDays))
  const earned = MODEL.credentialsShare + MODEL.verifiedShare + tenure
  return MODEL.identityStart + (1 - MODEL.identityStart) * earned
}

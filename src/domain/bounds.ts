/**
 * What nobody can exceed, whatever happens. Promised in docs/scoring.md and held by bounds.test.ts on
 * random histories; for the reader of a score who asks what an attacker could have made of it.
 */

import { coldStartDamping, massLimit } from './aggregate.ts'
import type { EventType } from './event.ts'
import { exp, exp2 } from './math.ts'
import * as model from './model.ts'

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
  const youth = coldStartDamping(days)
  const each = most(model.PLATFORM_MASS_MAX, youth)
  const said = each * Math.min(platforms, model.PLATFORMS_MAX + 1)
  const self = model.SELF_GOOD_MAX + model.SELF_GOOD_SHARE * said
  const heard = said + self * massLimit(self, model.PLATFORM_MASS_MAX, youth)
  const good = model.PRIOR + heard * massLimit(heard, model.DIMENSION_MASS_MAX, youth)
  const odds = good / exp(Math.sqrt(1 / good + 1 / model.PRIOR))
  const trust = odds / (odds + model.HALF_TRUST_ODDS)
  const { reliability, financial, identity } = model.WEIGHTS
  return model.SCORE_MAX * ((reliability + financial) * trust + identity * identityAfter(days))
}

/** What counts of a platform that says no end of good. */
function most(massMax: number, youth: number): number {
  return Math.min(massMax, youth > 0 ? (model.COLD_START_SHARE * massMax) / youth : massMax)
}

/** Identity with all credentials one could wish for. */
function identityAfter(days: number): number {
  const tenure = model.TENURE_SHARE * (1 - exp2(-days / model.TENURE_HALF_DAYS))
  const earned = model.CREDENTIALS_SHARE + model.VERIFIED_SHARE + tenure
  return model.IDENTITY_START + (1 - model.IDENTITY_START) * earned
}

/** What limits a score: the points that the agent would have without each limit. */

import { assessWhole } from './assess.ts'
import { decayedTo } from './decay.ts'
import type { Evidence } from './evidence-state.ts'
import type { Model } from './model.ts'
import { dayOf } from './time.ts'

/** Points by which the score would be higher without each limit, before rounding. */
export interface ScoreLimits {
  /** The limit of trust by tenure (docs/scoring.md, Presumed trust and young agents). */
  readonly youth: number
  /** The ceiling by another agent of the owner, and that by the parent. Only the lower one takes points. */
  readonly ceiling: number
  readonly parentCeiling: number
  /** The tenure that ended with a transfer, and the part of it that a successor did not take over. */
  readonly transfer: number
  readonly succession: number
  readonly revocations: number
  /** With one credential of a platform more, and without those that there are (negative). */
  readonly noCredential: number
  readonly credentials: number
}

export function scoreLimits(model: Model, evidence: Evidence, at: number): ScoreLimits {
  const now = decayedTo(model, evidence, at)
  const whole = assessWhole(model, now, at).whole
  const gain = (its: Partial<Evidence>) => assessWhole(model, { ...now, ...its }, at).whole - whole
  return {
    youth: assessWhole({ ...model, youngShare: 1 }, now, at).whole - whole,
    ...ceilings(model, gain),
    transfer: gain(beforeTransfer(now)),
    succession: gain(beforeSuccession(model, now)),
    revocations: gain({ revoked: 0, withdrawn: 0 }),
    noCredential: gain({ verified: now.verified + 1 }),
    credentials: gain({ verified: 0 }),
  }
}

function ceilings(model: Model, gain: (its: Partial<Evidence>) => number) {
  const byOwner = gain({ parentCeiling: model.scoreMax })
  const byParent = gain({ ceiling: model.scoreMax })
  const both = gain({ ceiling: model.scoreMax, parentCeiling: model.scoreMax })
  return {
    ceiling: byOwner <= byParent ? both : 0,
    parentCeiling: byParent <= byOwner ? both : 0,
  }
}

/** With the days of tenure that the agent had for its former owners. */
function beforeTransfer({ formerDays, registeredAt, firstDay }: Evidence): Partial<Evidence> {
  const registered = dayOf(registeredAt)
  const first = firstDay < 0 ? registered : Math.min(firstDay, registered)
  return formerDays > 0 ? { formerDays: 0, firstDay: first } : {}
}

/** With all of the tenure of which the agent took over a share. */
function beforeSuccession(
  { successorTenureShare }: Model,
  { registeredAt, firstDay }: Evidence,
): Partial<Evidence> {
  const kept = dayOf(registeredAt) - firstDay
  const lost = kept / successorTenureShare - kept
  return firstDay >= 0 && kept > 0 ? { formerDays: 0, firstDay: firstDay - lost } : {}
}

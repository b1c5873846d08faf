/** What limits a score: the points that the agent would have without each limit. */

import { assessWhole } from './assess.ts'
import type { Evidence } from './evidence.ts'
import type { Model } from './model.ts'

/** Points that each limit takes from the score, before rounding; 0 where it takes none. */
export interface ScoreLimits {
  /** The limit of trust by tenure (docs/scoring.md, Presumed trust and young agents). */
  readonly youth: number
  /** The ceiling by another agent of the owner, and that by the parent. Only the lower one takes points. */
  readonly ceiling: number
  readonly parentCeiling: number
}

export function scoreLimits(model: Model, evidence: Evidence, at: number): ScoreLimits {
  const { scoreMax } = model
  const points = (its: Partial<Evidence> = {}) =>
    assessWhole(model, { ...evidence, ...its }, at).whole
  const whole = points()
  const grown = assessWhole({ ...model, youngShare: 1 }, evidence, at).whole
  const byOwner = points({ parentCeiling: scoreMax })
  const byParent = points({ ceiling: scoreMax })
  const lost = points({ ceiling: scoreMax, parentCeiling: scoreMax }) - whole
  return {
    youth: grown - whole,
    ceiling: byOwner <= byParent ? lost : 0,
    parentCeiling: byParent <= byOwner ? lost : 0,
  }
}

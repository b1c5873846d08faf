/** What the passing of whole days does to evidence. Within a day nothing fades. */

import { type Evidence, type MutableEvidence, mutableCopy } from './evidence-state.ts'
import { exp2 } from './math.ts'
import type { Model } from './model.ts'
import { decayed } from './source.ts'
import { dayOf } from './time.ts'

/** The evidence at a later time. */
export function decayedTo(model: Model, evidence: Evidence, at: number): Evidence {
  if (!(at > evidence.at) || dayOf(at) === dayOf(evidence.at)) {
    return evidence
  }
  const draft = mutableCopy(evidence)
  advanceTo(model, draft, at)
  return draft
}

/** Moves the draft to a time. Earlier than its own it stays: what is received later is later. */
export function advanceTo(model: Model, draft: MutableEvidence, at: number): void {
  if (!(at > draft.at)) {
    return
  }
  const days = dayOf(at) - dayOf(draft.at)
  draft.at = at
  if (days === 0) {
    return
  }
  const kept = exp2(-days / model.halfLifeDays)
  const activeDays = draft.activeDays + draft.activeToday
  draft.activeDays = activeDays
  draft.activeToday = 0
  draft.crowd = decayed(model, draft.crowd, kept, activeDays)
  draft.self = decayed(model, draft.self, kept, activeDays)
  draft.sources = draft.sources.map((source) => decayed(model, source, kept, activeDays))
  draft.verified *= kept
  draft.claimed *= kept
  draft.revoked *= kept
  draft.withdrawn *= kept
}

/** Days of tenure: of those gone by, no more than the days with good reports earn. */
export function tenureDays(
  model: Model,
  { firstDay, activeDays }: Evidence,
  today: number,
): number {
  return firstDay < 0 ? 0 : Math.min(today - firstDay, model.tenurePerActiveDay * activeDays)
}

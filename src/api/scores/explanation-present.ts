import type { Strongest } from '../../domain/attribution.ts'
import { shownChange } from '../../domain/contributions.ts'
import { REASONS } from '../../domain/reasons.ts'
import type { ChangeSince, Explanation } from '../../scoring/explanation.ts'
import { time } from '../wire.ts'

/** The public part of the explanation; the rest only with `isAll`. */
export function presentExplanation(explanation: Explanation, isAll: boolean) {
  const { agentId, status, at, score, strongest } = explanation
  const { reporters, ...contributions } = explanation.contributions
  const shown = {
    agentId,
    score: score.score,
    classification: score.classification,
    confidence: score.confidence,
    disputed: score.disputed,
    exposureLimit: score.exposureLimit,
    status,
    contributions,
    reasons: explanation.reasons.map((code) => ({ code, ...REASONS[code] })),
    nextTier: explanation.nextTier,
    errorBudget: explanation.errorBudget,
    modelVersion: score.modelVersion,
    computedAt: time(at),
  }
  return isAll ? withHistory(shown, reporters, strongest) : shown
}

/** What changed the score since a snapshot: the public part; the rest with `isAll`. */
export function presentSince({ snapshot, difference, ...change }: ChangeSince, isAll: boolean) {
  const { reporters, start: _, ...contributions } = change.contributions
  const { id, score, createdAt } = snapshot
  const shown = { snapshot: { id, score, createdAt: time(createdAt) }, difference, contributions }
  return isAll ? withHistory(shown, reporters, change.strongest) : shown
}

/** Adds who reported, and which events changed the score most. */
function withHistory<T extends { readonly contributions: object }>(
  shown: T,
  reporters: Explanation['contributions']['reporters'],
  { up, down }: Strongest,
) {
  const events = { up: up.map(presentChange), down: down.map(presentChange) }
  return { ...shown, contributions: { ...shown.contributions, reporters }, events }
}

function presentChange(change: Strongest['up'][number]) {
  const { at, ...rest } = shownChange(change)
  return { ...rest, createdAt: time(at) }
}

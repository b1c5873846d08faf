/**
 * What limits an agent at its start: a new agent scores no higher than the worst of its owner's agents in the
 * last year, because a fresh start must not pay. An agent that no platform knows has not started.
 */

import { ceilingBy } from './ceiling.ts'
import type { Evidence } from './evidence-state.ts'
import { NEW_AGENT_SCORE, tierMin } from './tiers.ts'

/** The agent's own side, platforms that share a vote, and credentials bring no agent above this. */
export const UNSTARTED_SCORE_MAX = tierMin('fair') - 1

/**
 * Whether an agent whose score moved so lowers the ceiling of its owner's agents that have not started. One that has
 * not started itself does not: neither its own side nor platforms that share a vote decide about others.
 */
export function lowersStarts(evidence: Evidence, from: number, to: number): boolean {
  const isLower = to < NEW_AGENT_SCORE && ceilingBy(to) < ceilingBy(from)
  return isLower && hasStarted(evidence)
}

/** Whether a platform with a vote of its own has reported on the agent. */
export function hasStarted({ sources }: Evidence): boolean {
  return sources.length > 0
}

/** The ceiling of an agent from now on, by the score of one that fell; null where it stays as it is. */
export function loweredStart(evidence: Evidence, score: number): number | null {
  const ceiling = ceilingBy(score)
  const isLower = score < NEW_AGENT_SCORE && ceiling < evidence.ceiling
  return isLower && !hasStarted(evidence) ? ceiling : null
}

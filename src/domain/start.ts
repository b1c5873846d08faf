/**
 * What limits an agent at its start: a new agent scores no higher than the worst of its owner's agents in the
 * last year, because a fresh start must not pay. An agent that no platform knows has not started.
 */

import type { Evidence } from './evidence-state.ts'
import { NEW_AGENT_SCORE, tierMin } from './tiers.ts'

/** The agent's own side, platforms that share a vote, and credentials bring no agent above this. */
export const UNSTARTED_SCORE_MAX = tierMin('fair') - 1

/** A ceiling that is lowered later is a multiple of this: a score that falls by a few points writes no events. */
const STEP = 10

/** Whether a score that moved so lowers the ceiling of the owner's agents that have not started. */
export function lowersStarts(from: number, to: number): boolean {
  return to < NEW_AGENT_SCORE && startCeiling(to) < startCeiling(from)
}

/** The ceiling that the worst score of the owner's agents makes. */
function startCeiling(worst: number): number {
  return STEP * Math.floor(worst / STEP)
}

/** Whether a platform with a vote of its own has reported on the agent. */
export function hasStarted({ sources }: Evidence): boolean {
  return sources.length > 0
}

/** The ceiling of an agent from now on, by the owner's worst score; null where it stays as it is. */
export function loweredStart(evidence: Evidence, worst: number): number | null {
  const ceiling = startCeiling(worst)
  return hasStarted(evidence) || ceiling >= evidence.ceiling ? null : ceiling
}

import type { Issue } from './error.ts'
import { type Confidence, NEW_AGENT_SCORE } from './tiers.ts'

/** What a decision says: do it, ask a person, or do not. */
export const VERDICTS = ['allow', 'review', 'deny'] as const
export type Verdict = (typeof VERDICTS)[number]

/** The requirements of an account for agents that it deals with. */
export interface Policy {
  /** Agents below this score are denied. */
  readonly minScore: number
  /** Agents with less confidence are reviewed. */
  readonly minConfidence: Confidence
  /** For a name that leads to no agent. */
  readonly unknown: Verdict
  /** For an agent about which platforms disagree. */
  readonly disputed: Verdict
  /** US dollars at risk in one deal, whatever the agent; null for no limit but the agent's own. */
  readonly maxExposure: number | null
}

/** Of one account, one for each kind of deal; a decision reads all of them at once. */
export const POLICIES_MAX = 50

/** The lower end of Fair: acceptable, by the words of the interface. The rest is for a person to see. */
export const DEFAULT_POLICY: Policy = {
  minScore: 500,
  minConfidence: 'low',
  unknown: 'review',
  disputed: 'review',
  maxExposure: null,
}

/**
 * What in a policy contradicts itself. An unknown agent must not fare better than an agent that is
 * known and falls short: an agent that is denied would only have to hide its name.
 */
export function contradictionsIn({ minScore, minConfidence, unknown }: Policy): readonly Issue[] {
  if (unknown !== 'allow') {
    return []
  }
  const why = 'must not be allow: an agent that falls short would only have to hide its name'
  if (minScore > NEW_AGENT_SCORE) {
    const message = `${why}; use review or deny, or a minScore of at most ${NEW_AGENT_SCORE}`
    return [{ path: 'unknown', code: 'contradiction', message }]
  }
  if (minConfidence !== 'low') {
    const message = `${why}; use review or deny, or minConfidence low`
    return [{ path: 'unknown', code: 'contradiction', message }]
  }
  return []
}

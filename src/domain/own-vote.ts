/** What a platform has itself found of an agent, as far as its vote shows: for its own decisions. */

import type { Evidence } from './evidence-state.ts'
import { dollarsAt } from './exposure.ts'
import type { Model } from './model.ts'
import { isShared } from './places.ts'

export interface OwnVote {
  /** The platform, or the owner in whose vote it counts. */
  readonly voter: string
  /** Its reports, as observations that decay, rounded. */
  readonly good: number
  readonly bad: number
  /**
   * US dollars that the agent may carry for it, at the same score, once a payment has gone wrong: what it has carried.
   * The exposure limit is a median over platforms, so it does not show to one of them that its own large deals go wrong.
   */
  readonly limitUsd?: number | undefined
}

/** The votes with bad reports. Not shared ones: they do not say who reported what. */
export function ownVotes(model: Model, { sources }: Evidence, score: number): readonly OwnVote[] {
  const votes: OwnVote[] = []
  for (const source of sources) {
    const { voter, reliabilityGood, reliabilityBad, financialGood, financialBad, carried } = source
    const bad = reliabilityBad + financialBad
    if (bad > 0 && !isShared(voter)) {
      const isLimited = financialBad > 0 && carried > 0
      votes.push({
        voter,
        good: Math.round(reliabilityGood + financialGood),
        bad: Math.round(bad),
        limitUsd: isLimited ? dollarsAt(model, score, carried) : undefined,
      })
    }
  }
  return votes
}

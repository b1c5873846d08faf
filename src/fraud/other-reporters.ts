/** What other reporters say of an agent that a platform reports on. */
import { sharedAggregate } from '../domain/aggregate.ts'
import type { Evidence } from '../domain/evidence-state.ts'
import type { Model } from '../domain/model.ts'
import { isShared, sharedVoteOf } from '../domain/places.ts'
import type { Source } from '../domain/source.ts'

/**
 * The trust of other reporters, to be read before the agent's next event: computed then, since most comparisons
 * need none.
 */
export type OtherReporters = () => number

/** A platform with the owner in whose vote its reports count. */
export interface Voting {
  readonly platform: string
  /** Null where it votes for itself. */
  readonly voter: string | null
}

/**
 * What reporters other than a platform, and than others of its owner, say of an agent; null where they have less
 * than a vote.
 */
export function otherReporters(
  model: Model,
  evidence: Evidence,
  voting: Voting,
): OtherReporters | null {
  const { sources } = evidence
  let weight = 0
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Source
    if (!isOwnVote(model, source, voting)) {
      weight += Math.max(source.positiveWeight, source.negativeWeight)
    }
  }
  if (weight < model.ownVoteWeightMin) {
    return null
  }
  return () => trustOfOthers(model, evidence, voting)
}

/** Under its own id the platform has the vote of a time at which no voter was recorded. A shared vote is its own too. */
function isOwnVote(model: Model, source: Source, { platform, voter }: Voting): boolean {
  const { voter: name } = source
  return (
    name === platform ||
    name === voter ||
    (isShared(name) && name === sharedVoteOf(model, voter ?? platform))
  )
}

function trustOfOthers(model: Model, { sources, crowd, self }: Evidence, voting: Voting): number {
  const others = sources.filter((source) => !isOwnVote(model, source, voting))
  return sharedAggregate(model, { sources: others, crowd, self }).trust
}

/**
 * Which vote a reporter has. The first ones have votes of their own. Further established platforms share some, each
 * always the same one, by its id: so nothing has to be remembered of them one by one. So do further provisional ones.
 */

import { groupOf } from './group.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'

/** With so many established platforms of different owners, an installation or an agent needs no provisional ones. */
export const ESTABLISHED_ENOUGH = 2

/** The names of shared votes begin with it, and no id does. */
const SHARED = '~'

/** The name of the vote that a voter shares if it has none of its own. */
export function sharedVoteOf({ sharedVotesMax }: Model, voter: string): string {
  return SHARED + groupOf(voter, sharedVotesMax)
}

/** Whether several platforms may have this vote. */
export function isShared(voter: string): boolean {
  return voter.startsWith(SHARED)
}

/** Where the vote of this name is; −1 if there is no such vote. */
export function indexOfVote(sources: readonly Source[], voter: string): number {
  for (let i = 0; i < sources.length; i++) {
    if ((sources[i] as Source).voter === voter) {
      return i
    }
  }
  return -1
}

/**
 * Where a voter's vote is or is to be, its own or a shared one; null for one of the crowd. Provisional voters share votes,
 * and one that was provisional keeps its vote, of half the weight, while fewer than two established ones know the agent:
 * if it went on in the crowd, what it found of the agent until then would stand, whatever the agent did since.
 */
export function placeOf(
  model: Model,
  sources: readonly Source[],
  voter: string,
  weight: number,
): number | null {
  const own = indexOfVote(sources, voter)
  const isCounted = weight >= model.ownVoteWeightMin
  if (isCounted && own >= 0) {
    return own
  }
  if (isCounted && !sharesVote(model, sources, weight)) {
    return sources.length
  }
  if (weight < 1 && sources.length - provisionalOf(sources) >= ESTABLISHED_ENOUGH) {
    return null
  }
  const known = own >= 0 ? own : indexOfVote(sources, sharedVoteOf(model, voter))
  if (isCounted) {
    return known >= 0 ? known : model.sharedVotesMax === 0 ? null : sources.length
  }
  return known >= 0 && isProvisional(sources[known] as Source) ? known : null
}

/** Whether a voter that has no vote of its own is to share one: where those of its kind are taken. */
function sharesVote(
  { platformsMax, provisionalMax }: Model,
  sources: readonly Source[],
  weight: number,
): boolean {
  const own = sources.reduce((count, { voter }) => count + (isShared(voter) ? 0 : 1), 0)
  return own >= platformsMax || (weight < 1 && provisionalOf(sources) >= provisionalMax)
}

/** The name of the vote at a place, or of the one that begins there. */
export function nameAt(
  model: Model,
  sources: readonly Source[],
  place: number,
  { voter, weight }: { readonly voter: string; readonly weight: number },
): string {
  const known = sources[place]
  if (known) {
    return known.voter
  }
  return sharesVote(model, sources, weight) ? sharedVoteOf(model, voter) : voter
}

/** How many votes are of reporters that were provisional whenever they reported. */
function provisionalOf(sources: readonly Source[]): number {
  let provisional = 0
  for (const source of sources) {
    if (isProvisional(source)) {
      provisional += 1
    }
  }
  return provisional
}

function isProvisional({ positiveWeightMax, negativeWeightMax }: Source): boolean {
  return positiveWeightMax < 1 && negativeWeightMax < 1
}

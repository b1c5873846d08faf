/**
 * Which vote a reporter has. The first ones have votes of their own. Further established platforms share some, each
 * always the same one, by its id: so nothing has to be remembered of them one by one.
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
 * Where a voter's vote is or is to be, its own or a shared one; null for one of the crowd. A voter that was provisional
 * keeps its vote, of half the weight, on an agent that fewer than two established ones know: if it went on in the crowd,
 * what it found of the agent until then would stand, whatever the agent did since.
 */
export function placeOf(
  model: Model,
  sources: readonly Source[],
  voter: string,
  weight: number,
): number | null {
  const place = indexOfVote(sources, voter)
  if (weight < model.ownVoteWeightMin) {
    const isOwn = place >= 0 && isProvisional(sources[place] as Source)
    return isOwn && sources.length - provisionalOf(sources) < ESTABLISHED_ENOUGH ? place : null
  }
  if (place >= 0) {
    return place
  }
  if (sources.length >= model.platformsMax) {
    const isOfCrowd = weight < 1 || model.sharedVotesMax === 0
    return isOfCrowd ? null : sharedPlaceOf(model, sources, voter)
  }
  return weight < 1 && provisionalOf(sources) >= model.provisionalMax ? null : sources.length
}

function sharedPlaceOf(model: Model, sources: readonly Source[], voter: string): number {
  const place = indexOfVote(sources, sharedVoteOf(model, voter))
  return place < 0 ? sources.length : place
}

/** The name of the vote at a place, or of the one that begins there. */
export function nameAt(
  model: Model,
  sources: readonly Source[],
  place: number,
  voter: string,
): string {
  const known = sources[place]
  return known ? known.voter : place < model.platformsMax ? voter : sharedVoteOf(model, voter)
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

/**
 * What the votes of all reporters say together. For each level x of trust the reporters whose vote
 * lies above x are for it, those below are against it; trust is the area under the share that x wins.
 * That is a trimmed mean of the votes (a Choquet integral) with one weight for good reports and one
 * for bad ones, each of which depends on its own kind of reports alone: no better report ever lowers
 * the result.
 */

import type { Evidence } from './evidence-state.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'
import { collectedVotes, collectVotes, monitorExcess, type Reporters } from './votes.ts'

export interface Aggregate {
  /** The area under what each level wins, as far as a whole vote is for it. */
  readonly trust: number
  /** The part below `unknownTrust`, which needs no evidence. */
  readonly presumed: number
  /** Share of the weight that denies that the agent is good. */
  readonly denied: number
  /** The share of the levels below `deniedBelow` that is won, and with it of the agent's identity. */
  readonly identityShare: number
  /** Whether the platforms are in a run of bad reports together. */
  readonly isInSharedRun: boolean
  /** Weight of the votes against the agent, and for it. */
  readonly weightAgainst: number
  readonly weightFor: number
}

/** An aggregate with the trust if minorities counted fully against the agent (low) or not at all (high). */
export interface AggregateRange extends Aggregate {
  readonly low: number
  readonly high: number
}

/**
 * Whether more than `sharedRunFrom` of the weight is in a run of bad reports. Two fifths of the platforms
 * cannot bring it about, and one good report of each ends it.
 */
function isInSharedRun(model: Model, sources: Evidence['sources']): boolean {
  let inRun = 0
  let dealsInRun = 0
  let calm = model.calmPrior
  let calmMonitors = 0
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Source
    const { run, positiveWeight, negativeWeightMax, monitorWeight } = source
    inRun += negativeWeightMax * run
    calm += positiveWeight * (1 - run)
    if (monitorWeight > 0) {
      calmMonitors += monitorWeight * (1 - run)
    }
    if (run > 0) {
      // Not as a share of the bad reports, which a bad one of another kind would lower.
      dealsInRun += negativeWeightMax * run * Math.min(1, source.dealBad / model.badFull)
    }
  }
  calm -= monitorExcess(model, calmMonitors, dealsInRun)
  return inRun > model.sharedRunFrom * (inRun + calm)
}

/**
 * The weight against a level. A first complaint is hardly a vote, unless complaints of others bear it out: what
 * a reporter needs several for, several reporters reach together.
 */
function weightAgainstOf(alone: number, jointly: number): number {
  return Math.max(alone, jointly * Math.min(1, jointly))
}

/** The share that a level wins, of which this share of the weight is against it; `trimLow` of it has no effect. */
function wonShare({ trimHigh }: Model, against: number, trimLow: number): number {
  if (against <= trimLow) {
    return 1
  }
  const lost = (against - trimLow) / (1 - trimLow - trimHigh)
  return lost >= 1 ? 0 : 1 - lost
}

/** `wonShare` if a minority against the level counted for nothing, or double. */
function wonAtBest(against: number): number {
  return against <= 0.5 ? 1 : 2 - 2 * against
}

function wonAtWorst(against: number): number {
  return against >= 0.5 ? 0 : 1 - 2 * against
}

/** The aggregate of the votes with its range, in a new object. */
export function aggregate(model: Model, reporters: Reporters): AggregateRange {
  return withRange(sharedAggregate(model, reporters))
}

/** The shared aggregate that was computed last with its range, in a new object. */
export function withRange(last: Aggregate): AggregateRange {
  const { low, high } = range()
  const { trust, presumed, denied, identityShare, isInSharedRun, weightAgainst, weightFor } = last
  return {
    trust,
    low,
    high,
    presumed,
    denied,
    identityShare,
    isInSharedRun,
    weightAgainst,
    weightFor,
  }
}

type Sum = { -readonly [K in keyof Aggregate]: Aggregate[K] }

const shared: Sum = {
  trust: 0,
  presumed: 0,
  denied: 0,
  identityShare: 0,
  isInSharedRun: false,
  weightAgainst: 0,
  weightFor: 0,
}

/** The aggregate alone, in a shared object that the next call overwrites: most callers read one value. */
export function sharedAggregate(model: Model, reporters: Reporters): Aggregate {
  const sum = shared
  const collected = collectVotes(model, reporters)
  const { count, place, positive, negative, joint, order, weightFrom, inFavourFrom } = collected
  const { deniedBelow, deniedFully } = model
  sum.presumed = 0
  sum.denied = 0
  sum.identityShare = 0
  // Sums of all votes are kept in variables: to add to a field takes longer.
  let trust = 0
  let weightAgainst = 0
  let weightFor = 0
  let against = 0
  let alone = 0
  let jointly = 0
  let from = 0
  for (let i = 0; i < count; i++) {
    const vote = order[i] as number
    const to = place[vote] as number
    if (to > from) {
      // Between two neighbouring votes the weights are the same for all levels.
      const weight = weightFrom[i] as number
      const inFavour = inFavourFrom[i] as number
      if (inFavour > 0) {
        const known = weight < 1 ? (to - from) * weight : to - from
        trust += known * wonShare(model, against / (inFavour + against), model.trimLow)
      }
      if (from < deniedBelow) {
        addLowLevels(model, sum, from, to, inFavour, against)
      }
      from = to
    }
    alone += negative[vote] as number
    jointly += joint[vote] as number
    against = weightAgainstOf(alone, jointly)
    if (to < deniedBelow) {
      weightAgainst = against
    } else {
      weightFor += positive[vote] as number
    }
  }
  if (from < deniedBelow) {
    addLowLevels(model, sum, from, 1, 0, against)
  }
  sum.trust = trust
  sum.weightAgainst = weightAgainst
  sum.weightFor = weightFor
  sum.denied /= deniedBelow - deniedFully
  sum.identityShare /= deniedBelow
  sum.isInSharedRun = isInSharedRun(model, reporters.sources)
  return sum
}

/** Adds what levels say about a bad agent, of which some are below `deniedBelow`. */
function addLowLevels(
  model: Model,
  sum: Sum,
  from: number,
  to: number,
  inFavour: number,
  against: number,
): void {
  const doubt = against / (inFavour + model.unknownWeight + against)
  const won = wonShare(model, doubt, model.identityFrom)
  sum.identityShare += (Math.min(to, model.deniedBelow) - from) * won
  if (from < model.unknownTrust) {
    const presumed = wonShare(model, doubt, model.trimLow)
    sum.presumed += (Math.min(to, model.unknownTrust) - from) * presumed
  }
  const denying = Math.min(to, model.deniedBelow) - Math.max(from, model.deniedFully)
  if (denying > 0) {
    sum.denied += denying * doubt
  }
}

/** The range of the votes collected last. Levels above all of them have no votes for them. */
function range(): Pick<AggregateRange, 'low' | 'high'> {
  const { count, place, negative, joint, order, weightFrom, inFavourFrom } = collectedVotes()
  let low = 0
  let high = 0
  let against = 0
  let alone = 0
  let jointly = 0
  let from = 0
  for (let i = 0; i < count; i++) {
    const vote = order[i] as number
    const to = place[vote] as number
    const weight = weightFrom[i] as number
    const inFavour = inFavourFrom[i] as number
    if (to > from) {
      if (inFavour > 0) {
        const share = against / (inFavour + against)
        low += (weight < 1 ? (to - from) * weight : to - from) * wonAtWorst(share)
        high += (to - from) * wonAtBest(share)
      }
      from = to
    }
    alone += negative[vote] as number
    jointly += joint[vote] as number
    against = weightAgainstOf(alone, jointly)
  }
  return { low, high }
}

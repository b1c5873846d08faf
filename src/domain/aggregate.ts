/**
 * What the votes of all reporters say together. For each level x of trust the reporters whose vote
 * lies above x are for it, those below are against it; trust is the area under the share that x wins.
 * That is a trimmed mean of the votes (a Choquet integral) with one weight for good reports and one
 * for bad ones, each of which depends on its own kind of reports alone: no better report ever lowers
 * the result.
 */

import type { Evidence } from './evidence-state.ts'
import { exp } from './math.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'

/** The votes as they count now, in ascending order: places, and weights for and against. */
export interface Votes {
  readonly at: number[]
  readonly positive: number[]
  readonly negative: number[]
}

export interface Aggregate {
  /** The area under what each level wins, as far as a whole vote is for it; and the same if minorities
   *  counted fully against the agent (low) or not at all (high). */
  readonly trust: number
  readonly low: number
  readonly high: number
  /** The part below `unknownTrust`, which needs no evidence. */
  readonly presumed: number
  /** Share of the weight that denies that the agent is good, and that finds it bad. */
  readonly denied: number
  readonly foundBad: number
  /** Weight of the votes against the agent, and for it. */
  readonly weightAgainst: number
  readonly weightFor: number
}

/** Few, and mostly in order: an insertion sort is the fastest. */
export function votesOf(
  model: Model,
  { sources, crowd, self }: Pick<Evidence, 'sources' | 'crowd' | 'self'>,
): Votes {
  const shared = sharedAlarm(model, sources)
  const votes: Votes = { at: [], positive: [], negative: [] }
  for (let i = 0; i < sources.length; i++) {
    insert(model, votes, sources[i] as Source, shared)
  }
  insert(model, votes, crowd, shared)
  insert(model, votes, self, 0)
  return votes
}

function insert(
  model: Model,
  { at, positive, negative }: Votes,
  source: Source,
  shared: number,
): void {
  if (source.positiveWeight === 0 && source.negativeWeight === 0) {
    return
  }
  const place = placeOf(model, source, shared)
  let i = at.length
  for (; i > 0 && (at[i - 1] as number) > place; i--) {
    at[i] = at[i - 1] as number
    positive[i] = positive[i - 1] as number
    negative[i] = negative[i - 1] as number
  }
  at[i] = place
  positive[i] = source.positiveWeight
  negative[i] = source.negativeWeight
}

function placeOf(model: Model, { alarm, badOdds, vote }: Source, shared: number): number {
  const excess = alarm + shared - model.alarmFrom
  return excess > 0 && alarm > 0 ? 1 / (1 + model.halfTrustOdds * badOdds * exp(excess)) : vote
}

/** How much earlier alarm begins: nothing until more than half of the votes show some. */
function sharedAlarm(model: Model, sources: Evidence['sources']): number {
  let alarmed = 0
  let calm = model.sharedAlarmPrior
  for (let i = 0; i < sources.length; i++) {
    const { alarm, negativeWeightMax, positiveWeight } = sources[i] as Source
    if (alarm === 0) {
      calm += positiveWeight
      continue
    }
    const share = Math.min(1, alarm / model.sharedAlarmFull)
    alarmed += negativeWeightMax * share
    calm += positiveWeight * (1 - share)
  }
  return alarmed > calm ? (model.sharedAlarmMax * (alarmed - calm)) / (alarmed + calm) : 0
}

/** The share that a level wins, of which this share of the weight is against it. */
function wonShare(model: Model, against: number): number {
  const lost = (against - model.trimLow) / (1 - model.trimLow - model.trimHigh)
  return lost <= 0 ? 1 : lost >= 1 ? 0 : 1 - lost
}

/** The same if a minority against the level counted for nothing, or double. */
function wonAtBest(against: number): number {
  return against <= 0.5 ? 1 : 2 - 2 * against
}

function wonAtWorst(against: number): number {
  return against >= 0.5 ? 0 : 1 - 2 * against
}

export function aggregate(model: Model, { at, positive, negative }: Votes): Aggregate {
  const n = at.length
  // The weight for a level is summed from the top, the weight against it from the bottom.
  const sumsFor: number[] = [...positive, 0]
  for (let i = n - 1; i >= 0; i--) {
    sumsFor[i] = (sumsFor[i] as number) + (sumsFor[i + 1] as number)
  }
  const sum = newSum()
  let against = 0
  let from = 0
  for (let i = 0; i <= n; i++) {
    const to = i < n ? (at[i] as number) : 1
    if (to > from) {
      addLevels(model, sum, from, to, sumsFor[i] as number, against)
      from = to
    }
    if (i === n) {
      break
    }
    against += negative[i] as number
    if (to < model.deniedBelow) {
      sum.weightAgainst += negative[i] as number
    } else {
      sum.weightFor += positive[i] as number
    }
  }
  sum.denied /= model.deniedBelow - model.deniedFully
  sum.foundBad /= model.deniedFully
  return sum
}

type Sum = { -readonly [K in keyof Aggregate]: number }

function newSum(): Sum {
  return {
    trust: 0,
    low: 0,
    high: 0,
    presumed: 0,
    denied: 0,
    foundBad: 0,
    weightAgainst: 0,
    weightFor: 0,
  }
}

/** Adds the levels between two neighbouring votes: the weights are the same for all of them. */
function addLevels(
  model: Model,
  sum: Sum,
  from: number,
  to: number,
  inFavour: number,
  against: number,
): void {
  if (inFavour > 0) {
    const share = against / (inFavour + against)
    const known = inFavour < 1 ? (to - from) * inFavour : to - from
    sum.trust += known * wonShare(model, share)
    sum.low += known * wonAtWorst(share)
    sum.high += (to - from) * wonAtBest(share)
  }
  const doubt = against / (inFavour + model.unknownWeight + against)
  if (from < model.unknownTrust) {
    sum.presumed += (Math.min(to, model.unknownTrust) - from) * wonShare(model, doubt)
  }
  if (from < model.deniedFully) {
    sum.foundBad += (Math.min(to, model.deniedFully) - from) * doubt
  }
  const denying = Math.min(to, model.deniedBelow) - Math.max(from, model.deniedFully)
  if (denying > 0) {
    sum.denied += denying * doubt
  }
}

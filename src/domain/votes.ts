/** The votes of all reporters of an agent, sorted, with the weight for each level of trust. */

import type { Evidence } from './evidence-state.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'
import { goodAlone, voteBeside } from './vote.ts'

/** The reporters of an agent, as their votes count now. */
export type Reporters = Pick<Evidence, 'sources' | 'crowd' | 'self'>

/** One vote for each reporter: its place, its weights, and the order of the places. Written to and
 *  read within one call: most of the work of a score would be to allocate it again. */
export interface Votes {
  count: number
  readonly place: Float64Array
  readonly positive: Float64Array
  readonly negative: Float64Array
  /** Weights against the agent if others deny it too. */
  readonly joint: Float64Array
  /** The weight for the agent without good reports of deals. */
  monitorSum: number
  readonly order: Uint16Array
  /** Weight for the agent of the votes from each place in the order on. */
  readonly weightFrom: Float64Array
  /** What of it counts beside complaints: all of it, or as `limitMonitors` leaves it. */
  inFavourFrom: Float64Array
  readonly limitedFrom: Float64Array
  /** The parts of each vote's weights that limit it. Written to only where there is something to limit. */
  readonly monitor: Float64Array
  readonly dealDenial: Float64Array
}

const VOTES_USUAL = 32

let votes = votesOfSize(VOTES_USUAL)

function votesOfSize(countMax: number): Votes {
  const weightFrom = new Float64Array(countMax)
  return {
    count: 0,
    place: new Float64Array(countMax),
    positive: new Float64Array(countMax),
    negative: new Float64Array(countMax),
    joint: new Float64Array(countMax),
    monitorSum: 0,
    order: new Uint16Array(countMax),
    weightFrom,
    limitedFrom: new Float64Array(countMax),
    inFavourFrom: weightFrom,
    monitor: new Float64Array(countMax),
    dealDenial: new Float64Array(countMax),
  }
}

/** Collects the votes of an agent. The next call overwrites them. */
export function collectVotes(model: Model, reporters: Reporters): Votes {
  const { sources, crowd, self } = reporters
  const countMax = sources.length + 2
  if (countMax > votes.order.length) {
    votes = votesOfSize(2 * countMax)
  }
  const countBefore = votes.count
  votes.count = 0
  votes.monitorSum = 0
  if (isAnyBelow(sources, goodAlone(model, sources.length - 1))) {
    addBesideOthers(model, sources)
  } else {
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i] as Source
      add(votes, source, source.vote)
    }
  }
  add(votes, crowd, crowd.vote)
  add(votes, self, self.vote)
  sort(votes, countBefore)
  sumFromAbove(votes)
  const isLimited = votes.monitorSum > model.monitorsMax
  votes.inFavourFrom = isLimited ? votes.limitedFrom : votes.weightFrom
  if (isLimited) {
    limitMonitors(model, votes, reporters)
  }
  return votes
}

/** The weight for a level is that of all votes above it. */
function sumFromAbove({ count, order, positive, weightFrom }: Votes): void {
  let weight = 0
  for (let i = count - 1; i >= 0; i--) {
    weight = (positive[order[i] as number] as number) + weight
    weightFrom[i] = weight
  }
}

/**
 * What does not count of the weight without good reports of deals. That an agent is up says little about its deals: as
 * far as complaints about deals weigh against it, no more than `monitorsMax` is left.
 */
export function monitorExcess({ monitorsMax }: Model, weight: number, complaints: number): number {
  return weight > monitorsMax ? Math.min(1, complaints) * (weight - monitorsMax) : 0
}

/** The weight for each level without that excess. */
function limitMonitors(model: Model, votes: Votes, reporters: Reporters): void {
  noteDeals(model, votes, reporters)
  const { count, order, monitor, dealDenial, weightFrom, limitedFrom } = votes
  let ofMonitors = votes.monitorSum
  let denial = 0
  for (let i = 0; i < count; i++) {
    const vote = order[i] as number
    limitedFrom[i] = (weightFrom[i] as number) - monitorExcess(model, ofMonitors, denial)
    ofMonitors -= monitor[vote] as number
    denial += dealDenial[vote] as number
  }
}

/** Of each vote, in the order in which they were added. Not where they are added: few agents have so many monitors. */
function noteDeals(model: Model, votes: Votes, { sources, crowd, self }: Reporters): void {
  let count = 0
  const note = (source: Source) => {
    if (isVoter(source)) {
      votes.monitor[count] = source.monitorWeight
      const share = dealShareOfBad(model, source)
      votes.dealDenial[count] = source.negativeWeight * (share * share)
      count += 1
    }
  }
  sources.forEach(note)
  note(crowd)
  note(self)
}

function isVoter({ positiveWeight, negativeWeight }: Source): boolean {
  return positiveWeight > 0 || negativeWeight > 0
}

/** How far the weight of its bad reports is of deals. */
function dealShareOfBad({ badFull }: Model, source: Source): number {
  const bad = Math.min(badFull, source.reliabilityBad + source.financialBad)
  return bad > 0 ? Math.min(1, source.dealBad / bad) : 0
}

function isAnyBelow(sources: Reporters['sources'], good: number): boolean {
  for (let i = 0; i < sources.length; i++) {
    if ((sources[i] as Source).good < good) {
      return true
    }
  }
  return false
}

function addBesideOthers(model: Model, sources: Reporters['sources']): void {
  let good = 0
  let bad = 0
  for (let i = 0; i < sources.length; i++) {
    const { sampleGood, sampleBad } = sources[i] as Source
    good += sampleGood
    bad += sampleBad
  }
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Source
    const { sampleGood, sampleBad } = source
    add(votes, source, voteBeside(model, source, good - sampleGood, bad - sampleBad))
  }
}

function add(votes: Votes, source: Source, vote: number): void {
  if (!isVoter(source)) {
    return
  }
  const { positiveWeight, negativeWeight, jointWeight, monitorWeight } = source
  const { count } = votes
  votes.place[count] = vote
  votes.positive[count] = positiveWeight
  votes.negative[count] = negativeWeight
  votes.joint[count] = jointWeight
  if (monitorWeight > 0) {
    votes.monitorSum += monitorWeight
  }
  votes.count = count + 1
}

/**
 * Sorts by place, equal ones by number: one order only, whatever it begins with. It begins with the order
 * of the last votes, where they were as many: mostly those of the same agent one event earlier, of which
 * one has moved. So an insertion sort takes one pass.
 */
function sort({ place, order, count }: Votes, countBefore: number): void {
  if (count !== countBefore) {
    for (let i = 0; i < count; i++) {
      order[i] = i
    }
  }
  let highest = 0
  let highestVote = 0
  for (let i = 0; i < count; i++) {
    const vote = order[i] as number
    const at = place[vote] as number
    if (at > highest || (at === highest && vote >= highestVote)) {
      highest = at
      highestVote = vote
      continue
    }
    let j = i
    for (; j > 0; j--) {
      const other = order[j - 1] as number
      const otherAt = place[other] as number
      if (otherAt < at || (otherAt === at && other < vote)) {
        break
      }
      order[j] = other
    }
    order[j] = vote
  }
}

/** The votes that were collected last. */
export function collectedVotes(): Votes {
  return votes
}

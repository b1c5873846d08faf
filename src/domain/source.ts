/** What one voter reported about an agent, and the vote that follows from it. */

import type { Alarm } from './alarm.ts'
import { type ClassTotals, NO_CLASSES } from './class-trust.ts'
import type { Model } from './model.ts'
import { NO_PARTIES, type PartySums } from './parties.ts'
import { joinedSums, NO_SUMS, type Sums, single } from './sums.ts'

/** The totals of one voter: a reporter, or an owner with its platforms. Most stay as they are with an event. */
export interface SourceTotals extends Sums, Alarm {
  /** Id of the reporter or of the owner; empty for those that share a vote. */
  readonly voter: string
  /** How far its latest report is bad: 1 after a bad one that its series does not offset, 0 after a good one, and 0 once
   *  the complaint fades. */
  readonly run: number
  /** The greatest reporter weight of its good reports, and of its bad ones. */
  readonly positiveWeightMax: number
  readonly negativeWeightMax: number
  /** Its good reports of deals, up to the number that gives full weight, and its bad ones, which decay. Uptime and errors
   *  are no deals. */
  readonly dealGood: number
  readonly dealBad: number
  /** Days with good reports that the agent had when the reporter last complained. */
  readonly complaintDay: number
  /** Uptime reports of the latest day, and of the last day before it that had any; at least half of what it was. */
  readonly uptimes: number
  readonly uptimesBefore: number
  /** Good payments, up to the number that gives full weight in the exposure limit. */
  readonly paidCount: number
  /** log2(1 + dollars) of what the agent has carried well for it; 0 where it never named an amount. */
  readonly carried: number
  /** Classes of work, in the order of their first report. */
  readonly classes: readonly ClassTotals[]
  /** Counterparties, in groups, and the number of reports without one since the first that named one. */
  readonly parties: PartySums
  readonly unnamedCount: number
  /** How many bad reports without a counterparty the good ones with one offset: each does one, up to one for each group. */
  readonly cover: number
}

/** The totals with what follows from them: kept, because most votes do not change with an event. */
export interface Source extends SourceTotals {
  /** 0 to 1, by the bad odds of both dimensions together, multiplied under alarm. */
  readonly vote: number
  /** Weight of the vote for the levels of trust below it, and against those above it. */
  readonly positiveWeight: number
  readonly negativeWeight: number
  /** The weight against them if other reporters deny that the agent is good as well. */
  readonly jointWeight: number
  /** The part of the first that it has without good reports of deals. */
  readonly monitorWeight: number
  /** Its good reports of both dimensions. */
  readonly good: number
  /** Its good and its bad reports, `othersMax` of them at most, for the votes of others. */
  readonly sampleGood: number
  readonly sampleBad: number
}

export const NO_TOTALS: SourceTotals = {
  voter: '',
  reliabilityGood: 0,
  reliabilityBad: 0,
  financialGood: 0,
  financialBad: 0,
  alarm: 0,
  reportedAt: 0,
  seriesUntil: 0,
  latest: NO_SUMS,
  run: 0,
  positiveWeightMax: 0,
  negativeWeightMax: 0,
  dealGood: 0,
  dealBad: 0,
  complaintDay: 0,
  uptimes: 0,
  uptimesBefore: 0,
  paidCount: 0,
  carried: 0,
  classes: NO_CLASSES,
  parties: NO_PARTIES,
  unnamedCount: 0,
  cover: 0,
}

/** The form that folding writes to; all other code has Source. */
export type MutableSource = { -readonly [K in keyof Source]: Source[K] }

/** The totals, with what follows from them still to be settled. */
export function mutableSource(totals: SourceTotals): MutableSource {
  return {
    voter: totals.voter,
    reliabilityGood: totals.reliabilityGood,
    reliabilityBad: totals.reliabilityBad,
    financialGood: totals.financialGood,
    financialBad: totals.financialBad,
    alarm: totals.alarm,
    reportedAt: totals.reportedAt,
    seriesUntil: totals.seriesUntil,
    latest: totals.latest,
    run: totals.run,
    positiveWeightMax: totals.positiveWeightMax,
    negativeWeightMax: totals.negativeWeightMax,
    dealGood: totals.dealGood,
    dealBad: totals.dealBad,
    complaintDay: totals.complaintDay,
    uptimes: totals.uptimes,
    uptimesBefore: totals.uptimesBefore,
    paidCount: totals.paidCount,
    carried: totals.carried,
    classes: totals.classes,
    parties: totals.parties,
    unnamedCount: totals.unnamedCount,
    cover: totals.cover,
    vote: 0,
    positiveWeight: 0,
    negativeWeight: 0,
    jointWeight: 0,
    monitorWeight: 0,
    good: 0,
    sampleGood: 0,
    sampleBad: 0,
  }
}

/**
 * One vote of what were two. It keeps the classes and the counterparties of the first: those of the other are
 * a part of its sums only.
 */
export function joinedTotals(model: Model, kept: SourceTotals, added: SourceTotals): SourceTotals {
  const larger = (name: NumberOfVote) => Math.max(kept[name], added[name])
  const alarm = larger('alarm')
  // Spelt out: a field that is missing here does not compile.
  return {
    voter: kept.voter,
    ...joinedSums(kept, added),
    alarm,
    reportedAt: larger('reportedAt'),
    seriesUntil: larger('seriesUntil'),
    latest: alarm <= 0 ? NO_SUMS : joinedSums(kept.latest, added.latest),
    run: larger('run'),
    positiveWeightMax: larger('positiveWeightMax'),
    negativeWeightMax: larger('negativeWeightMax'),
    dealGood: single(Math.min(model.goodFull, kept.dealGood + added.dealGood)),
    dealBad: single(Math.min(model.massMax, kept.dealBad + added.dealBad)),
    complaintDay: larger('complaintDay'),
    uptimes: larger('uptimes'),
    uptimesBefore: larger('uptimesBefore'),
    paidCount: larger('paidCount'),
    carried: larger('carried'),
    classes: kept.classes,
    parties: kept.parties,
    unnamedCount: kept.unnamedCount,
    cover: kept.cover,
  }
}

type NumberOfVote = {
  [K in keyof SourceTotals]: SourceTotals[K] extends number ? K : never
}[keyof SourceTotals]

/** A copy that may be written to, except for its classes and counterparties. */
export function copyOfSource(source: Source): MutableSource {
  const copy = mutableSource(source)
  copy.vote = source.vote
  copy.positiveWeight = source.positiveWeight
  copy.negativeWeight = source.negativeWeight
  copy.jointWeight = source.jointWeight
  copy.monitorWeight = source.monitorWeight
  copy.good = source.good
  copy.sampleGood = source.sampleGood
  copy.sampleBad = source.sampleBad
  return copy
}

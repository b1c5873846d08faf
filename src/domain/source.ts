/** What one voter reported about an agent, and the vote that follows from it. */

import { type Alarm, addToAlarm, moveToSeries, oddsBeforeAlarm } from './alarm.ts'
import { type ClassTotals, fadedClasses, NO_CLASSES, withClassReport } from './class-trust.ts'
import type { Dimension } from './event.ts'
import { exp } from './math.ts'
import type { Model } from './model.ts'
import {
  addPartyReport,
  fadeParties,
  NO_PARTIES,
  type PartySums,
  partiesToWrite,
  partyOf,
  type SumPlace,
  unnamedPartyOf,
} from './parties.ts'
import {
  addObservation,
  hasReports,
  joinedSums,
  NO_SUMS,
  type Sums,
  scaledSums,
  single,
  weightOfMoney,
  weightOfWork,
} from './sums.ts'

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
  complaintDay: 0,
  uptimes: 0,
  uptimesBefore: 0,
  paidCount: 0,
  carried: 0,
  classes: NO_CLASSES,
  parties: NO_PARTIES,
  unnamedCount: 0,
}

/** The form that folding writes to; all other code has Source. */
export type MutableSource = { -readonly [K in keyof Source]: Source[K] }

/** The totals with what follows from them. */
export function sourceOf(model: Model, totals: SourceTotals, activeDays: number): Source {
  const source = mutableSource(totals)
  settle(model, source, activeDays)
  return source
}

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
    complaintDay: totals.complaintDay,
    uptimes: totals.uptimes,
    uptimesBefore: totals.uptimesBefore,
    paidCount: totals.paidCount,
    carried: totals.carried,
    classes: totals.classes,
    parties: totals.parties,
    unnamedCount: totals.unnamedCount,
    vote: 0,
    positiveWeight: 0,
    negativeWeight: 0,
    jointWeight: 0,
    good: 0,
    sampleGood: 0,
    sampleBad: 0,
  }
}

/**
 * One vote of what were two. It keeps the classes and the counterparties of the first: those of the other are
 * a part of its sums only.
 */
export function joinedTotals(kept: SourceTotals, added: SourceTotals): SourceTotals {
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
    complaintDay: larger('complaintDay'),
    uptimes: larger('uptimes'),
    uptimesBefore: larger('uptimesBefore'),
    paidCount: larger('paidCount'),
    carried: larger('carried'),
    classes: kept.classes,
    parties: kept.parties,
    unnamedCount: kept.unnamedCount,
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
  copy.good = source.good
  copy.sampleGood = source.sampleGood
  copy.sampleBad = source.sampleBad
  return copy
}

/**
 * A vote is on the whole record. Under alarm it is a lower one, down to that on the reports since the alarm
 * began: an agent that works less well than before is not taken for one that cheats.
 */
function settle(model: Model, source: MutableSource, activeDays: number): void {
  const good = source.reliabilityGood + source.financialGood
  const bad = source.reliabilityBad + source.financialBad
  const recorded = badOddsOf(model, source)
  const excess = Math.min(source.alarm, model.alarmMax) - model.alarmFrom
  const alarmed =
    excess > 0 ? Math.min(recorded * exp(excess), badOddsOf(model, source.latest)) : recorded
  source.vote = 1 / (1 + model.halfTrustOdds * Math.max(recorded, alarmed))
  const goodShare = good < model.goodFull ? good / model.goodFull : 1
  const badShare = bad < model.badFull ? bad / model.badFull : 1
  source.positiveWeight = source.positiveWeightMax * goodShare
  // Most reporters never complained: their decay is not worth an exponential.
  const complaint =
    bad === 0
      ? 0
      : source.negativeWeightMax * badShare * complaintFade(model, activeDays - source.complaintDay)
  const denial = (model.deniedBelow - source.vote) / (model.deniedBelow - model.deniedFully)
  source.negativeWeight = complaint * badShare
  source.jointWeight = denial > 0 ? complaint * Math.min(1, denial) : 0
  source.good = good
  const sample = good + bad > model.othersMax ? model.othersMax / (good + bad) : 1
  source.sampleGood = sample * good
  source.sampleBad = Math.min(model.othersBadMax, sample * bad)
}

/** Votes with as many good reports or more are the same beside so many others. */
export function goodAlone({ othersMax, othersBad }: Model, others: number): number {
  return (1 + othersMax * others) / othersBad - 1
}

/**
 * The vote beside others, which have so many good and bad reports in their samples. Otherwise platforms that have seen an
 * agent a few times each would trust it less the more of them there are. An alarm is not lessened.
 */
export function voteBeside(model: Model, source: Source, good: number, bad: number): number {
  const presumedBad = ((1 + source.good) * (model.othersBad + bad)) / (1 + good)
  return presumedBad >= 1 || source.alarm > model.alarmFrom
    ? source.vote
    : 1 / (1 + model.halfTrustOdds * badOddsOf(model, source, presumedBad))
}

/**
 * Each dimension is shrunk to the rate of both: what a platform has not seen it presumes to be like
 * the rest. Bad odds add up, so that one dimension does not make up for the other. Beside its reports one
 * good one is presumed, and a bad one or less.
 */
function badOddsOf(
  model: Model,
  { reliabilityGood, reliabilityBad, financialGood, financialBad }: Sums,
  presumedBad = 1,
): number {
  const good = reliabilityGood + financialGood
  const bad = reliabilityBad + financialBad
  const rate = (good + 1) / (good + bad + (1 + presumedBad))
  const priorGood = model.dimensionPrior * rate
  const priorBad = model.dimensionPrior - priorGood
  const { reliability, financial } = model.weights
  return (
    (reliability * ((reliabilityBad + priorBad) / (reliabilityGood + priorGood)) +
      financial * ((financialBad + priorBad) / (financialGood + priorGood))) /
    (reliability + financial)
  )
}

/** What is left of a complaint after a number of days with good reports. */
function complaintFade(model: Model, days: number): number {
  const fading = days - model.complaintFreshDays
  if (fading <= 0) {
    return 1
  }
  return Math.max(model.complaintFadeMin, exp((-Math.LN2 * fading) / model.complaintHalfDays))
}

export interface SourceReport {
  readonly dimension: Exclude<Dimension, 'identity'>
  /** Good above zero, bad below. */
  readonly observation: number
  /** How much of the event counts, 0 to 1. */
  readonly share: number
  readonly isUptime: boolean
  readonly weight: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** Days with good reports that the agent has had. */
  readonly activeDays: number
  /** log2(1 + dollars); 0 without an amount. */
  readonly carried: number
  /** The class of work, where classes are counted apart. */
  readonly taskClass?: string | undefined
  /** Where counterparties are counted, and one is named. */
  readonly counterparty?: string | undefined
}

/**
 * Adds a report to a reporter's totals. Its counterparties are written to where nothing else refers to
 * them (`isOwned`), and replaced otherwise.
 */
export function addReportTo(
  model: Model,
  source: MutableSource,
  report: SourceReport,
  isOwned: boolean,
): void {
  const { dimension, observation, weight, activeDays, taskClass } = report
  const isWork = dimension === 'reliability'
  const odds = oddsBeforeAlarm(source, isWork)
  const change = addToSums(model, source, report, isOwned)
  moveToSeries(model, source, report)
  const shown = addToAlarm(model, source, { isWork, odds, observation: change })
  source.run = runAfter(source.run, shown)
  if (observation > 0) {
    source.positiveWeightMax = Math.max(source.positiveWeightMax, weight)
  } else if (observation < 0) {
    source.negativeWeightMax = Math.max(source.negativeWeightMax, weight)
    source.complaintDay = complaintDayAfter(model, source.complaintDay, activeDays, observation)
  }
  addToCarried(model, source, report, change)
  if (taskClass !== undefined && observation !== 0) {
    source.classes = withClassReport(model, source.classes, taskClass, observation)
  }
  settle(model, source, activeDays)
}

/**
 * The part of an observation of uptime that counts, and one report of uptime more on its day. The uptime of a day is one
 * observation if it is measured as often as on the last day with any, and each measurement is an equal part of it. So
 * heartbeats do not hide what other reports say. A day with k times as many counts 1 + ln k, so the number from which
 * the next day starts falls by half a day at most: otherwise days with one measurement would make room for days with many.
 */
export function partOfUptime(source: MutableSource, observation: number): number {
  source.uptimes += 1
  return observation / Math.max(source.uptimes, source.uptimesBefore)
}

/** Adds the observation to the sums, and returns how far it shows a change. */
function addToSums(
  model: Model,
  source: MutableSource,
  { dimension, observation, counterparty }: SourceReport,
  isOwned: boolean,
): number {
  const isWork = dimension === 'reliability'
  const party = observation === 0 ? undefined : takeParty(model, source, observation, counterparty)
  if (party === undefined) {
    addObservation(source, isWork, observation)
    return observation
  }
  const place: SumPlace = isWork ? (observation > 0 ? 0 : 1) : observation > 0 ? 2 : 3
  const { reliabilityBad, financialBad } = source
  const parties = partiesToWrite(source.parties, isOwned)
  addPartyReport(model, source, parties, { party, place, observed: Math.abs(observation) })
  source.parties = parties
  if (observation > 0) {
    return observation
  }
  const work = source.reliabilityBad - reliabilityBad
  const money = source.financialBad - financialBad
  return -worsening(model, observation, Math.max(0, work, money))
}

/** The group of counterparties to which a report belongs; undefined where the reporter has named none. Counts a report
 *  without one. */
function takeParty(
  model: Model,
  source: MutableSource,
  observation: number,
  counterparty: string | undefined,
): number | undefined {
  if (counterparty !== undefined) {
    return partyOf(model, counterparty)
  }
  if (source.parties.length === 0) {
    return undefined
  }
  source.unnamedCount = (source.unnamedCount + 1) >>> 0
  const report = { isGood: observation > 0, count: source.unnamedCount }
  return unnamedPartyOf(model, source, source.parties, report)
}

/**
 * How far a bad report shows a change. That of a counterparty does so by what it adds to what the
 * counterparty said before: fully the first time, less and less after it.
 */
function worsening({ partyBadMax }: Model, observation: number, added: number): number {
  return Math.min(-observation, (1 + partyBadMax) * added)
}

/**
 * A report that is as bad as an error of low severity is a complaint. A better one makes the last complaint newer in
 * proportion only: uptime of 94.99 % does not make old complaints new.
 */
function complaintDayAfter(
  { errorObservation }: Model,
  before: number,
  today: number,
  observation: number,
): number {
  return before + Math.floor((today - before) * Math.min(1, observation / errorObservation.low))
}

function runAfter(run: number, observation: number): number {
  return single(observation < 0 ? Math.min(1, run - observation) : run * (1 - observation))
}

/**
 * A good payment larger than what was carried raises it by a step. One that went wrong lowers it as far as it is bad
 * and shows a change: a late one less than a dispute, and repeated complaints of one counterparty as two do at most. A
 * small one lowers it less. Copies count by their share, which is a part of the change already.
 */
function addToCarried(
  model: Model,
  source: MutableSource,
  { dimension, observation, share, carried }: SourceReport,
  change: number,
): void {
  if (dimension !== 'financial' || observation === 0) {
    return
  }
  const before = source.carried
  if (observation > 0) {
    const { carriedStep, exposurePaymentsFull } = model
    source.paidCount = single(Math.min(exposurePaymentsFull, source.paidCount + share))
    if (carried > before) {
      source.carried = single(Math.min(carried, before + share * carriedStep))
    }
  } else if (carried > 0) {
    const size = carried < before ? carried / before : 1
    const drop = size * model.carriedDrop * -change
    source.carried = single(Math.max(model.carriedMin, before - drop))
  }
}

/** Moves totals to a later day: totals above their maximum are scaled to it, and all decay. */
export function decay(
  model: Model,
  source: MutableSource,
  kept: number,
  activeDays: number,
  isOwned: boolean,
): void {
  if (source.uptimes > 0) {
    source.uptimesBefore = Math.max(source.uptimes, source.uptimesBefore >> 1)
    source.uptimes = 0
  }
  if (!hasReports(source)) {
    // Nothing to decay: most agents have no report by the crowd, or none by their own side.
    return
  }
  const work = kept * capFactor(model, weightOfWork(source))
  const money = kept * capFactor(model, weightOfMoney(source))
  source.reliabilityGood = single(source.reliabilityGood * work)
  source.reliabilityBad = single(source.reliabilityBad * work)
  source.financialGood = single(source.financialGood * money)
  source.financialBad = single(source.financialBad * money)
  if (source.latest !== NO_SUMS) {
    source.latest = scaledSums(source.latest, work, money)
  }
  source.classes = fadedClasses(source.classes, work, isOwned)
  if (activeDays - source.complaintDay > model.complaintFreshDays) {
    // Otherwise a platform that left after a bad report would be in a run forever.
    source.run = 0
  }
  if (source.parties.length > 0) {
    const parties = partiesToWrite(source.parties, isOwned)
    fadeParties(parties, work, money)
    source.parties = parties
  }
  settle(model, source, activeDays)
}

function capFactor(model: Model, weight: number): number {
  return weight > model.massMax ? model.massMax / weight : 1
}

/** What one voter reported about an agent, and the vote that follows from it. */

import { type ClassTotals, fadedClasses, NO_CLASSES, withClassReport } from './class-trust.ts'
import type { Dimension } from './event.ts'
import { clamp, exp, ln } from './math.ts'
import type { Model } from './model.ts'
import {
  addPartyReport,
  fadeParties,
  NO_PARTIES,
  NO_SUMS,
  type PartySums,
  partiesToWrite,
  partyOf,
  type SumPlace,
  type Sums,
  unnamedPartyOf,
} from './parties.ts'

/** The totals of one voter: a reporter, or an owner with its platforms. Most stay as they are with an event. */
export interface SourceTotals extends Sums {
  /** Id of the reporter or of the owner; empty for those that share a vote. */
  readonly voter: string
  /** How unlikely the latest reports are under the rate before them: the reporter's CUSUM. Below zero, or above its
   *  maximum, only from a series until the next report after it. */
  readonly alarm: number
  /** Seconds since 1970: of the latest report, and of the first of its series; 0 where it is in none. */
  readonly reportedAt: number
  readonly seriesAt: number
  /** What was reported since the alarm began: a part of the sums, nothing where there is no alarm. */
  readonly latest: Sums
  /** How far its latest report is bad: 1 after a bad one that its series does not offset, 0 after a good one, and 0 once
   *  the complaint fades. */
  readonly run: number
  /** The greatest reporter weight of its good reports, and of its bad ones. */
  readonly positiveWeightMax: number
  readonly negativeWeightMax: number
  /** Days with good reports that the agent had when the reporter last complained. */
  readonly complaintDay: number
  /** Uptime reports of the latest day, and of the last day before it that had any. */
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
}

export const NO_TOTALS: SourceTotals = {
  voter: '',
  reliabilityGood: 0,
  reliabilityBad: 0,
  financialGood: 0,
  financialBad: 0,
  alarm: 0,
  reportedAt: 0,
  seriesAt: 0,
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

/** Sums are kept in single precision, so that they are stored exactly in four bytes each. */
const single = Math.fround

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
    seriesAt: totals.seriesAt,
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
  }
}

/**
 * One vote of what were two. It keeps the classes and the counterparties of the first: those of the other are
 * a part of its sums only.
 */
export function joinedTotals(kept: SourceTotals, added: SourceTotals): SourceTotals {
  const larger = (name: KeptAsLarger) => Math.max(kept[name], added[name])
  const alarm = larger('alarm')
  return {
    ...kept,
    ...joinedSums(kept, added),
    alarm,
    reportedAt: larger('reportedAt'),
    seriesAt: larger('seriesAt'),
    latest: alarm <= 0 ? NO_SUMS : joinedSums(kept.latest, added.latest),
    run: larger('run'),
    positiveWeightMax: larger('positiveWeightMax'),
    negativeWeightMax: larger('negativeWeightMax'),
    complaintDay: larger('complaintDay'),
    uptimes: larger('uptimes'),
    uptimesBefore: larger('uptimesBefore'),
    paidCount: larger('paidCount'),
    carried: larger('carried'),
  }
}

type KeptAsLarger =
  | 'alarm'
  | 'reportedAt'
  | 'seriesAt'
  | 'run'
  | 'positiveWeightMax'
  | 'negativeWeightMax'
  | 'complaintDay'
  | 'uptimes'
  | 'uptimesBefore'
  | 'paidCount'
  | 'carried'

function joinedSums(one: Sums, other: Sums): Sums {
  return {
    reliabilityGood: single(one.reliabilityGood + other.reliabilityGood),
    reliabilityBad: single(one.reliabilityBad + other.reliabilityBad),
    financialGood: single(one.financialGood + other.financialGood),
    financialBad: single(one.financialBad + other.financialBad),
  }
}

/** Whether anything was observed that has not decayed to nothing. */
export function hasReports(source: Sums): boolean {
  return weightOfWork(source) > 0 || weightOfMoney(source) > 0
}

function weightOfWork({ reliabilityGood, reliabilityBad }: Sums): number {
  return reliabilityGood + reliabilityBad
}

function weightOfMoney({ financialGood, financialBad }: Sums): number {
  return financialGood + financialBad
}

/** A copy that may be written to, except for its classes and counterparties. */
export function copyOfSource(source: Source): MutableSource {
  const copy = mutableSource(source)
  copy.vote = source.vote
  copy.positiveWeight = source.positiveWeight
  copy.negativeWeight = source.negativeWeight
  copy.jointWeight = source.jointWeight
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
}

/**
 * Each dimension is shrunk to the rate of both: what a platform has not seen it presumes to be like
 * the rest. Bad odds add up, so that one dimension does not make up for the other.
 */
function badOddsOf(
  model: Model,
  { reliabilityGood, reliabilityBad, financialGood, financialBad }: Sums,
): number {
  const good = reliabilityGood + financialGood
  const bad = reliabilityBad + financialBad
  const rate = (good + 1) / (good + bad + 2)
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
  given: SourceReport,
  isOwned: boolean,
): void {
  const report = given.isUptime ? partOfDay(source, given) : given
  const { dimension, observation, weight, activeDays, taskClass } = report
  const isWork = dimension === 'reliability'
  const goodBefore = isWork ? source.reliabilityGood : source.financialGood
  const badBefore = isWork ? source.reliabilityBad : source.financialBad
  const change = addToSums(model, source, report, isOwned)
  if (!report.isUptime) {
    moveToSeries(model, source, report.at)
  }
  const shown = addToAlarm(model, source, isWork, goodBefore, badBefore, change)
  source.run = runAfter(source.run, shown)
  if (observation > 0) {
    source.positiveWeightMax = Math.max(source.positiveWeightMax, weight)
  } else if (observation < 0) {
    source.negativeWeightMax = Math.max(source.negativeWeightMax, weight)
    source.complaintDay = activeDays
  }
  addToCarried(model, source, report, change)
  if (taskClass !== undefined && observation !== 0) {
    source.classes = withClassReport(model, source.classes, taskClass, observation)
  }
  settle(model, source, activeDays)
}

/**
 * The uptime of a day is one observation however often it is measured, and each measurement is an equal part of it: as many
 * as there were on the last day with any, or as there are already. So heartbeats do not hide what other reports say.
 */
function partOfDay(source: MutableSource, report: SourceReport): SourceReport {
  source.uptimes += 1
  const observation = report.observation / Math.max(source.uptimes, source.uptimesBefore)
  return { ...report, observation }
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
  if (party !== undefined) {
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
  if (observation > 0) {
    if (isWork) {
      source.reliabilityGood = single(source.reliabilityGood + observation)
    } else {
      source.financialGood = single(source.financialGood + observation)
    }
  } else if (isWork) {
    source.reliabilityBad = single(source.reliabilityBad - observation)
  } else {
    source.financialBad = single(source.financialBad - observation)
  }
  return observation
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
 * Page's CUSUM of "the odds are a tenth of what they were": with odds o before the alarm began, a bad report
 * is ln((1 + o) / (1 + o / 10)) likelier after the change, a good one less likely by the rest of ln 10. The
 * reports since then are left out of o: otherwise a change that goes on becomes what the agent was.
 *
 * The reports of a series may be in any order, so within a series the CUSUM goes below zero and above its maximum:
 * good reports offset bad ones before and after them. Returns what of the observation shows a change after that.
 */
function addToAlarm(
  model: Model,
  source: MutableSource,
  isWork: boolean,
  goodBefore: number,
  badBefore: number,
  observation: number,
): number {
  if (observation === 0) {
    return 0
  }
  const { alarm: before, latest } = source
  const latestGood = isWork ? latest.reliabilityGood : latest.financialGood
  const latestBad = isWork ? latest.reliabilityBad : latest.financialBad
  const good = Math.max(0, goodBefore - latestGood)
  const bad = Math.max(0, badBefore - latestBad)
  const odds = (1 + good) / (1 + bad)
  const isInSeries = source.seriesAt > 0
  if (observation > 0 && before <= 0) {
    if (isInSeries) {
      const offset = before - offsetOf(model, odds) * observation
      source.alarm = single(Math.max(-model.offsetMax, offset))
    }
    return observation
  }
  const step = alarmStep(model, odds, observation)
  const highest = isInSeries ? model.alarmMax + model.offsetMax : model.alarmMax
  const alarm = single(clamp(before + step, Math.min(0, before), highest))
  source.alarm = alarm
  source.latest = alarm > 0 ? withObservation(latest, isWork, observation) : NO_SUMS
  return shownBy(observation, before, step)
}

/** Of a bad report that an alarm below zero offsets, what is left. */
function shownBy(observation: number, before: number, step: number): number {
  return before >= 0 ? observation : observation * Math.max(0, 1 + before / step)
}

/**
 * A series begins with a report after silence. It ends with a gap, or after as long as that silence: a platform that
 * reports all day long sends none. Then the alarm is between zero and its maximum again.
 */
function moveToSeries(model: Model, source: MutableSource, at: number): void {
  const { seriesGapSeconds, seriesSeconds, alarmMax } = model
  const second = Math.floor(at / 1000)
  const silence = second - source.reportedAt
  source.reportedAt = second
  if (silence <= seriesGapSeconds && second - source.seriesAt <= seriesSeconds) {
    return
  }
  source.alarm = clamp(source.alarm, 0, alarmMax)
  source.seriesAt = silence >= seriesSeconds ? second : 0
}

/**
 * What a good report offsets of the bad ones of its series: 1 − x, a lower bound of −ln x that takes no logarithm, for
 * the x by which it is less likely after a change.
 */
function offsetOf({ changeOddsRatio }: Model, odds: number): number {
  return (changeOddsRatio - 1) / (changeOddsRatio + odds)
}

function alarmStep(
  { changeOddsRatio, alarmStepMin }: Model,
  odds: number,
  observation: number,
): number {
  const likelier = ln((1 + odds) / (1 + odds / changeOddsRatio))
  if (observation > 0) {
    return Math.min(-alarmStepMin, likelier - ln(changeOddsRatio)) * observation
  }
  return -likelier * observation
}

function withObservation(sums: Sums, isWork: boolean, observation: number): Sums {
  const good = Math.max(0, observation)
  const bad = Math.max(0, -observation)
  return {
    reliabilityGood: single(sums.reliabilityGood + (isWork ? good : 0)),
    reliabilityBad: single(sums.reliabilityBad + (isWork ? bad : 0)),
    financialGood: single(sums.financialGood + (isWork ? 0 : good)),
    financialBad: single(sums.financialBad + (isWork ? 0 : bad)),
  }
}

function runAfter(run: number, observation: number): number {
  return single(observation < 0 ? Math.min(1, run - observation) : run * (1 - observation))
}

/**
 * A good payment larger than what was carried raises it by a step. One that went wrong lowers it: a small one less, and
 * only as far as it shows a change, so repeated complaints of one counterparty lower it as two do at most. Copies
 * count by their share.
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
    const drop = (share * size * model.carriedDrop * change) / observation
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
    source.latest = scaled(source.latest, work, money)
  }
  source.classes = fadedClasses(source.classes, work, isOwned)
  if (source.uptimes > 0) {
    source.uptimesBefore = source.uptimes
    source.uptimes = 0
  }
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

function scaled(sums: Sums, work: number, money: number): Sums {
  return {
    reliabilityGood: single(sums.reliabilityGood * work),
    reliabilityBad: single(sums.reliabilityBad * work),
    financialGood: single(sums.financialGood * money),
    financialBad: single(sums.financialBad * money),
  }
}

function capFactor(model: Model, weight: number): number {
  return weight > model.massMax ? model.massMax / weight : 1
}

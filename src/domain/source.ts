/** What one reporter reported about an agent, and the vote that follows from it. */

import { type ClassTotals, fadedClasses, NO_CLASSES, withClassReport } from './class-trust.ts'
import type { Dimension } from './event.ts'
import { exp, ln } from './math.ts'
import type { Model } from './model.ts'
import {
  fadedParties,
  NO_PARTIES,
  type PartySums,
  type SumPlace,
  type Sums,
  sumsWithParty,
  withPartyReport,
} from './parties.ts'

/** The totals of one reporter. Replaced, never written to: most reporters stay as they are. */
export interface SourceTotals extends Sums {
  /** Id of the reporter; empty for those that share a vote. */
  readonly reporter: string
  /** How unlikely the latest reports are under the rate before them: the reporter's CUSUM. */
  readonly alarm: number
  /** How far its latest reports are bad where they were good: 1 after a bad one, half with each good
   *  one after it. */
  readonly run: number
  /** The greatest reporter weight of its good reports, and of its bad ones. */
  readonly positiveWeightMax: number
  readonly negativeWeightMax: number
  /** Days with good reports that the agent had when the reporter last complained. */
  readonly complaintDay: number
  /** log2(1 + dollars) of what the agent has carried well for it. */
  readonly carried: number
  /** Classes of work, in the order of their first report. */
  readonly classes: readonly ClassTotals[]
  /** Counterparties, in groups. */
  readonly parties: PartySums
}

/** The totals with what follows from them: kept, because most votes do not change with an event. */
export interface Source extends SourceTotals {
  /** 0 to 1, by the bad odds of both dimensions together, multiplied under alarm. */
  readonly vote: number
  /** Weight of the vote for the levels of trust below it, and against those above it. */
  readonly positiveWeight: number
  readonly negativeWeight: number
}

export const NO_TOTALS: SourceTotals = {
  reporter: '',
  reliabilityGood: 0,
  reliabilityBad: 0,
  financialGood: 0,
  financialBad: 0,
  alarm: 0,
  run: 0,
  positiveWeightMax: 0,
  negativeWeightMax: 0,
  complaintDay: 0,
  carried: 0,
  classes: NO_CLASSES,
  parties: NO_PARTIES,
}

/** Sums are kept in single precision, so that they are stored exactly in four bytes each. */
const single = Math.fround

/**
 * Each dimension is shrunk to the rate of both: what a platform has not seen it presumes to be like
 * the rest. Bad odds add up, so that one dimension does not make up for the other.
 */
export function sourceOf(model: Model, totals: SourceTotals, activeDays: number): Source {
  const { reliabilityGood, reliabilityBad, financialGood, financialBad } = totals
  const good = reliabilityGood + financialGood
  const bad = reliabilityBad + financialBad
  const rate = (good + 1) / (good + bad + 2)
  const priorGood = model.dimensionPrior * rate
  const priorBad = model.dimensionPrior - priorGood
  const { reliability, financial } = model.weights
  const badOdds =
    (reliability * ((reliabilityBad + priorBad) / (reliabilityGood + priorGood)) +
      financial * ((financialBad + priorBad) / (financialGood + priorGood))) /
    (reliability + financial)
  const goodShare = good < model.goodFull ? good / model.goodFull : 1
  const badShare = bad < model.badFull ? bad / model.badFull : 1
  const excess = totals.alarm - model.alarmFrom
  const alarmedOdds = excess > 0 ? badOdds * exp(excess) : badOdds
  const fade = complaintFade(model, activeDays - totals.complaintDay - 1)
  return {
    reporter: totals.reporter,
    reliabilityGood,
    reliabilityBad,
    financialGood,
    financialBad,
    alarm: totals.alarm,
    run: totals.run,
    positiveWeightMax: totals.positiveWeightMax,
    negativeWeightMax: totals.negativeWeightMax,
    complaintDay: totals.complaintDay,
    carried: totals.carried,
    classes: totals.classes,
    parties: totals.parties,
    vote: 1 / (1 + model.halfTrustOdds * alarmedOdds),
    positiveWeight: totals.positiveWeightMax * goodShare,
    negativeWeight: totals.negativeWeightMax * badShare * badShare * fade,
  }
}

/** What is left of a complaint after so many days, beyond the first, with good reports. */
function complaintFade(model: Model, days: number): number {
  if (days <= 0) {
    return 1
  }
  return Math.max(model.complaintFadeMin, exp((-Math.LN2 * days) / model.complaintHalfDays))
}

export interface SourceReport {
  readonly dimension: Exclude<Dimension, 'identity'>
  /** Good above zero, bad below. */
  readonly observation: number
  readonly weight: number
  /** Days with good reports that the agent has had. */
  readonly activeDays: number
  /** log2(1 + dollars); 0 without an amount. */
  readonly carried: number
  /** The class of work, where classes are counted apart. */
  readonly taskClass?: string | undefined
  /** The group of the counterparty, where one is named. */
  readonly party?: number | undefined
}

/** The totals of a reporter after one more report. */
export function withReport(model: Model, before: SourceTotals, report: SourceReport): Source {
  const { dimension, observation, weight, activeDays } = report
  const isGood = observation > 0
  const isBad = observation < 0
  const isWork = dimension === 'reliability'
  const good = isWork ? before.reliabilityGood : before.financialGood
  const bad = isWork ? before.reliabilityBad : before.financialBad
  const after = sumsAfter(model, before, report)
  const change = isBad ? -worsening(model, report, before, after) : observation
  const totals = {
    reporter: before.reporter,
    reliabilityGood: after.reliabilityGood,
    reliabilityBad: after.reliabilityBad,
    financialGood: after.financialGood,
    financialBad: after.financialBad,
    alarm: alarmAfter(model, before.alarm, good, bad, change),
    run: runAfter(model, before.run, good, bad, change),
    positiveWeightMax: isGood
      ? Math.max(before.positiveWeightMax, weight)
      : before.positiveWeightMax,
    negativeWeightMax: isBad
      ? Math.max(before.negativeWeightMax, weight)
      : before.negativeWeightMax,
    complaintDay: isBad ? activeDays : before.complaintDay,
    carried: carriedAfter(model, before.carried, report),
    classes: classesAfter(model, before.classes, report),
    parties: after.parties,
  }
  return sourceOf(model, totals, activeDays)
}

function sumsAfter(
  model: Model,
  before: SourceTotals,
  { dimension, observation, party }: SourceReport,
): Sums & Pick<SourceTotals, 'parties'> {
  const good = observation > 0 ? observation : 0
  const bad = observation < 0 ? -observation : 0
  const isWork = dimension === 'reliability'
  if (party !== undefined && observation !== 0) {
    const place: SumPlace = isWork ? (good > 0 ? 0 : 1) : good > 0 ? 2 : 3
    const parties = withPartyReport(model, before.parties, party, place, good + bad)
    return { ...sumsWithParty(before, before.parties, parties, party, place), parties }
  }
  const { reliabilityGood, reliabilityBad, financialGood, financialBad, parties } = before
  return {
    reliabilityGood: isWork ? single(reliabilityGood + good) : reliabilityGood,
    reliabilityBad: isWork ? single(reliabilityBad + bad) : reliabilityBad,
    financialGood: isWork ? financialGood : single(financialGood + good),
    financialBad: isWork ? financialBad : single(financialBad + bad),
    parties,
  }
}

/**
 * How far a bad report shows a change. That of a counterparty does so by what it adds to what the
 * counterparty said before: fully the first time, less and less after it.
 */
function worsening(
  { partyBadMax }: Model,
  { observation, party }: SourceReport,
  before: Sums,
  after: Sums,
): number {
  if (party === undefined) {
    return -observation
  }
  const work = after.reliabilityBad - before.reliabilityBad
  const money = after.financialBad - before.financialBad
  return Math.min(-observation, (1 + partyBadMax) * Math.max(0, work, money))
}

/**
 * Page's CUSUM of "the odds are a tenth of what they were": with odds o before the report, a bad one
 * is ln((1 + o) / (1 + o / 10)) likelier after the change, a good one less likely by the rest of
 * ln 10. Of bad reports the integral is taken, so that many small ones alarm as much as few large.
 */
function alarmAfter(
  model: Model,
  alarm: number,
  goodBefore: number,
  badBefore: number,
  observation: number,
): number {
  if (observation === 0 || (observation > 0 && alarm === 0)) {
    return alarm
  }
  const good = 1 + goodBefore
  const bad = 1 + badBefore
  if (observation < 0) {
    const most = good / model.changeOddsMin
    if (bad >= most) {
      return alarm
    }
    const surprise =
      surpriseOf(model, good, Math.min(bad - observation, most)) - surpriseOf(model, good, bad)
    return single(Math.min(model.alarmMax, alarm + surprise))
  }
  const odds = good / bad
  const likelier = ln((1 + odds) / (1 + odds / model.changeOddsRatio))
  const step = Math.min(-model.alarmStepMin, likelier - ln(model.changeOddsRatio))
  return single(Math.max(0, alarm + step * observation))
}

/** Of bad reports, like the alarm, only as far as the record before them was good. */
function runAfter(
  { changeOddsMin }: Model,
  run: number,
  goodBefore: number,
  badBefore: number,
  observation: number,
): number {
  if (observation >= 0) {
    return single(run * (1 - observation / 2))
  }
  const room = (1 + goodBefore) / changeOddsMin - (1 + badBefore)
  return single(Math.min(1, run + Math.min(-observation, Math.max(0, room))))
}

/** The integral of ln((1 + o) / (1 + o / k)) over the bad mass, up to a constant. */
function surpriseOf({ changeOddsRatio }: Model, good: number, bad: number): number {
  const before = bad + good
  const after = bad + good / changeOddsRatio
  return before * ln(before) - after * ln(after)
}

/** A good payment larger than what was carried raises it by a step; one that went wrong lowers it. */
function carriedAfter(
  model: Model,
  before: number,
  { dimension, observation, carried }: SourceReport,
): number {
  if (dimension !== 'financial' || carried === 0) {
    return before
  }
  if (observation < 0) {
    return single(Math.max(0, before - model.carriedDrop))
  }
  return carried > before ? single(Math.min(carried, before + model.carriedStep)) : before
}

function classesAfter(
  model: Model,
  before: readonly ClassTotals[],
  { taskClass, observation }: SourceReport,
): readonly ClassTotals[] {
  return taskClass === undefined || observation === 0
    ? before
    : withClassReport(model, before, taskClass, observation)
}

/** The totals on a later day: rates above the most they remember are scaled to it, and all fade. */
export function decayed(model: Model, source: Source, kept: number, activeDays: number): Source {
  const { reliabilityGood, reliabilityBad, financialGood, financialBad } = source
  const work = kept * roomFor(model, reliabilityGood + reliabilityBad)
  const money = kept * roomFor(model, financialGood + financialBad)
  const totals = {
    reporter: source.reporter,
    reliabilityGood: single(reliabilityGood * work),
    reliabilityBad: single(reliabilityBad * work),
    financialGood: single(financialGood * money),
    financialBad: single(financialBad * money),
    alarm: source.alarm,
    run: source.run,
    positiveWeightMax: source.positiveWeightMax,
    negativeWeightMax: source.negativeWeightMax,
    complaintDay: source.complaintDay,
    carried: source.carried,
    classes: fadedClasses(source.classes, work),
    parties: fadedParties(source.parties, work, money),
  }
  return sourceOf(model, totals, activeDays)
}

function roomFor(model: Model, mass: number): number {
  return mass > model.massMax ? model.massMax / mass : 1
}

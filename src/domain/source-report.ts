/** How a report changes what is remembered of its voter. */

import { addToAlarm, moveToSeries, oddsBeforeAlarm } from './alarm.ts'
import { withClassReport } from './class-trust.ts'
import type { Dimension } from './event.ts'
import type { Model } from './model.ts'
import {
  addPartyReport,
  partiesToWrite,
  partyOf,
  type SumPlace,
  unnamedPartyOf,
} from './parties.ts'
import type { MutableSource } from './source.ts'
import { addObservation, single } from './sums.ts'
import { settle } from './vote.ts'

export interface SourceReport {
  readonly dimension: Exclude<Dimension, 'identity'>
  /** Good above zero, bad below. */
  readonly observation: number
  /** The observation if all of the event counted, and as the only one of its day. */
  readonly whole: number
  /** How much of the event counts, 0 to 1. */
  readonly share: number
  /** By what the odds of success are lower at work of this hardness, 0 to 1. */
  readonly oddsRatio: number
  readonly isUptime: boolean
  /** Of a task or a payment, of the agent itself or of a child. */
  readonly isDeal: boolean
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
  const { dimension, observation, oddsRatio, weight, activeDays, taskClass } = report
  const isWork = dimension === 'reliability'
  const odds = oddsBeforeAlarm(source, isWork)
  const change = addToSums(model, source, report, isOwned)
  moveToSeries(model, source, report)
  const shown = addToAlarm(model, source, { isWork, odds, oddsRatio, observation: change })
  source.run = runAfter(source.run, shown)
  if (observation > 0) {
    source.positiveWeightMax = Math.max(source.positiveWeightMax, weight)
    if (report.isDeal) {
      source.dealGood = single(Math.min(model.goodFull, source.dealGood + observation))
    }
  } else if (observation < 0) {
    source.negativeWeightMax = Math.max(source.negativeWeightMax, weight)
    if (report.isDeal) {
      source.dealBad = single(Math.min(model.massMax, source.dealBad - observation))
    }
    source.complaintDay = complaintDayAfter(model, source.complaintDay, activeDays, report.whole)
  }
  addToCarried(model, source, report, change)
  if (taskClass !== undefined && observation !== 0) {
    source.classes = withClassReport(model, source.classes, taskClass, observation)
  }
  settle(model, source, activeDays)
}

/**
 * Takes from a vote what its own voter withdraws by a report that counts with the crowd, because the voter has lost its
 * weight: a bad report as much praise as it is bad, and a good one, where the vote denies that the agent is good, as much of
 * the complaints. First of its own dimension. Otherwise what such a voter once found would stand whatever it finds now. It
 * adds nothing, so the voter gains no weight by it.
 */
export function withdraw(
  model: Model,
  source: MutableSource,
  { dimension, observation, activeDays }: SourceReport,
): void {
  if (observation > 0 && source.vote >= model.deniedBelow) {
    return
  }
  const isGood = observation > 0
  const [work, money] = isGood
    ? (['reliabilityBad', 'financialBad'] as const)
    : (['reliabilityGood', 'financialGood'] as const)
  const [first, second] = dimension === 'reliability' ? [work, money] : [money, work]
  const rest = Math.max(0, Math.abs(observation) - source[first])
  source[first] = single(Math.max(0, source[first] - Math.abs(observation)))
  source[second] = single(Math.max(0, source[second] - rest))
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

/**
 * The group of counterparties to which a report belongs; undefined where the reporter has named none. Counts a report
 * without one, and what a good report with one offsets.
 */
function takeParty(
  model: Model,
  source: MutableSource,
  observation: number,
  counterparty: string | undefined,
): number | undefined {
  const isGood = observation > 0
  if (counterparty !== undefined) {
    if (isGood) {
      source.cover = single(Math.min(model.partiesMax, source.cover + observation))
    }
    return partyOf(model, counterparty)
  }
  if (source.parties.length === 0) {
    return undefined
  }
  source.unnamedCount = (source.unnamedCount + 1) >>> 0
  const report = { isGood, isCovered: source.cover > 0, count: source.unnamedCount }
  if (!isGood) {
    source.cover = single(Math.max(0, source.cover + observation))
  }
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
 * A report that is as bad as an error of low severity is a complaint, whatever part of it counts: an outage that is
 * reported every hour is as new as one that is reported once a day. A better report makes the last complaint newer in
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
 * small one lowers it less, one without an amount as one of what was carried. Copies count by their share, which is a part of the change already.
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
  } else if (carried > 0 || before > 0) {
    const size = carried > 0 && carried < before ? carried / before : 1
    const drop = size * model.carriedDrop * -change
    source.carried = single(Math.max(model.carriedMin, before - drop))
  }
}

/**
 * How a vote notices that an agent has changed: Page's CUSUM of "the odds are a tenth of what they were". With odds o
 * before the alarm began, a bad report is ln((1 + o) / (1 + o / 10)) likelier after the change, a good one less
 * likely by the rest of ln 10. The reports since then are left out of o: otherwise a change that goes on becomes what
 * the agent was.
 *
 * The reports of a series may be in any order. Within a series the CUSUM goes below zero and above its maximum, so
 * good reports offset bad ones before and after them.
 */

import { clamp, ln } from './math.ts'
import type { Model } from './model.ts'
import { addObservation, NO_SUMS, type Sums, single } from './sums.ts'

/** The part of a vote that the alarm keeps. */
export interface Alarm {
  /** How unlikely the latest reports are under the rate before them: the reporter's CUSUM. Below zero, or above its
   *  maximum, only from a series until the next report after it. */
  readonly alarm: number
  /** Seconds since 1970: of the latest report, uptime apart, and of the end of its series; 0 where it is in none. */
  readonly reportedAt: number
  readonly seriesUntil: number
  /** What was reported since the alarm began: a part of the sums, nothing where there is no alarm. */
  readonly latest: Sums
}

type MutableAlarm = { -readonly [K in keyof Alarm]: Alarm[K] }

/** The odds of good to bad reports before the alarm began, with one of each presumed. */
export function oddsBeforeAlarm(source: Sums & Alarm, isWork: boolean): number {
  const { latest } = source
  const good = isWork
    ? source.reliabilityGood - latest.reliabilityGood
    : source.financialGood - latest.financialGood
  const bad = isWork
    ? source.reliabilityBad - latest.reliabilityBad
    : source.financialBad - latest.financialBad
  return (1 + Math.max(0, good)) / (1 + Math.max(0, bad))
}

/**
 * A series begins with a report after silence, and lasts as long as that silence, for `seriesSecondsMax` at most: a
 * platform that reports all day long sends none. Then the alarm is between zero and its maximum again. Uptime, which is
 * reported at all hours, begins no series and does not end the silence before one. `at` is in milliseconds since 1970.
 */
export function moveToSeries(
  model: Model,
  source: MutableAlarm,
  { at, isUptime }: { readonly at: number; readonly isUptime: boolean },
): void {
  const { seriesSilenceSeconds, seriesSecondsMax, alarmMax } = model
  const second = Math.floor(at / 1000)
  const silence = second - source.reportedAt
  if (!isUptime) {
    source.reportedAt = second
  }
  if (second < source.seriesUntil) {
    return
  }
  source.alarm = clamp(source.alarm, 0, alarmMax)
  const begins = !isUptime && silence >= seriesSilenceSeconds
  source.seriesUntil = begins ? second + Math.min(silence, seriesSecondsMax) : 0
}

export interface AlarmReport {
  readonly isWork: boolean
  /** By `oddsBeforeAlarm`, without this report. */
  readonly odds: number
  /** By what the odds are lower at work of this hardness, 0 to 1. A failure at it is observed as so much less. */
  readonly oddsRatio: number
  /** Good above zero, bad below. */
  readonly observation: number
}

/** Adds a report. Returns what of its observation shows a change, after what the good ones of its series offset. */
export function addToAlarm(
  model: Model,
  source: MutableAlarm,
  { isWork, odds: ordinaryOdds, oddsRatio, observation }: AlarmReport,
): number {
  if (observation === 0) {
    return 0
  }
  const odds = ordinaryOdds * oddsRatio
  const before = source.alarm
  const isInSeries = source.seriesUntil > 0
  if (observation > 0 && before <= 0) {
    if (isInSeries) {
      const offset = before - offsetOf(model, odds) * observation
      source.alarm = single(Math.max(-model.offsetMax, offset))
    }
    return observation
  }
  // A failure at hard work is observed as less than one for the rate, and shows a change by the odds at such work.
  const step = stepOf(model, odds, observation < 0 ? observation / oddsRatio : observation)
  const highest = isInSeries ? model.alarmMax + model.offsetMax : model.alarmMax
  const alarm = single(clamp(before + step, Math.min(0, before), highest))
  source.alarm = alarm
  source.latest = alarm > 0 ? withObservation(source.latest, isWork, observation) : NO_SUMS
  return shownBy(observation, before, step)
}

/** Of a bad report that an alarm below zero offsets, what is left. */
function shownBy(observation: number, before: number, step: number): number {
  return before >= 0 ? observation : observation * Math.max(0, 1 + before / step)
}

/**
 * What a good report offsets of the bad ones of its series: 1 − x, a lower bound of −ln x that takes no logarithm, for
 * the x by which it is less likely after a change.
 */
function offsetOf({ changeOddsRatio }: Model, odds: number): number {
  return (changeOddsRatio - 1) / (changeOddsRatio + odds)
}

function stepOf(
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
  const { reliabilityGood, reliabilityBad, financialGood, financialBad } = sums
  const changed = { reliabilityGood, reliabilityBad, financialGood, financialBad }
  addObservation(changed, isWork, observation)
  return changed
}

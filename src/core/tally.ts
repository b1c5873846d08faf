/**
 * Reports counted one by one, for the forecast. Two memories are kept: one of all, one of the latest
 * few; and how much better the first has foretold what came, so that an agent that stays as it is
 * is judged by all its record, and one that has changed by what it does now. Time alone changes
 * neither: measured, an agent known for long is a better risk than one of the same record made today.
 */
import { clamp } from './math.ts'
import * as model from './model.ts'

export interface Tally {
  /** All of them. */
  readonly good: number
  readonly bad: number
  /** The latest few. */
  readonly lateGood: number
  readonly lateBad: number
  /** How many times likelier the first memory made what came than the second did. */
  readonly steadiness: number
}

export const EMPTY_TALLY: Tally = { good: 0, bad: 0, lateGood: 0, lateBad: 0, steadiness: 1 }

/** A rate so far, by Jeffreys' rule: half a good and half a bad report that nobody made. */
function rateOf(good: number, bad: number): number {
  return (good + model.FORECAST_PRIOR) / (good + bad + 2 * model.FORECAST_PRIOR)
}

/** One report more. What was foretold of it is compared first. */
export function count(tally: Tally, isGood: boolean): Tally {
  const steady = rateOf(tally.good, tally.bad)
  const late = rateOf(tally.lateGood, tally.lateBad)
  const ratio = isGood ? steady / late : (1 - steady) / (1 - late)
  const most = model.STEADINESS_MAX
  return {
    good: tally.good + (isGood ? 1 : 0),
    bad: tally.bad + (isGood ? 0 : 1),
    lateGood: tally.lateGood * model.FORECAST_MEMORY + (isGood ? 1 : 0),
    lateBad: tally.lateBad * model.FORECAST_MEMORY + (isGood ? 0 : 1),
    steadiness: clamp(tally.steadiness * ratio, 1 / most, most),
  }
}

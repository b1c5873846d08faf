/** What to expect of an agent next: a probability, which asks for no caution as the score does. */

import { type Beta, betaOf, cdf, meanOf } from './beta.ts'
import type { Evidence } from './evidence-state.ts'
import { clamp } from './math.ts'
import type { Model } from './model.ts'
import type { OutcomeCounts } from './outcome-counts.ts'

export interface Prospect {
  /** That the next one goes well; in ten-thousandths, neither 0 nor 1. */
  readonly probability: number
  /** With 90 % probability the agent's true rate lies between these. */
  readonly low: number
  readonly high: number
}

export interface Forecast {
  /** Of the next task; for an agent of which no task was ever reported, of the next report on its
   *  uptime and errors. Null where no platform has reported either. */
  readonly task: Prospect | null
  /** Of the next payment: that it is made, on time and undisputed. */
  readonly payment: Prospect | null
}

/** Of 90 %, what lies outside at either end. */
const TAIL = 0.05

/** Halvings until an end of the interval is known to less than a ten-thousandth. */
const HALVINGS = 14

/**
 * The forecast from all evidence. Only what platforms reported is counted. It is the same at any time until
 * the next report: counts do not decay.
 */
export function forecastFrom(model: Model, { outcomeCounts }: Evidence): Forecast {
  const { tasks, upkeep, payments } = outcomeCounts
  return {
    task: prospectOfCounts(model, isEmpty(tasks) ? upkeep : tasks),
    payment: prospectOfCounts(model, payments),
  }
}

function isEmpty({ good, bad }: OutcomeCounts): boolean {
  return good + bad === 0
}

function prospectOfCounts(model: Model, counts: OutcomeCounts): Prospect | null {
  if (isEmpty(counts)) {
    return null
  }
  const { good, bad, recentGood, recentBad, likelihoodRatio } = counts
  const prior = model.forecastPrior
  const steady = betaOf(good + prior, bad + prior)
  const late = betaOf(recentGood + prior, recentBad + prior)
  const averaged = (of: (memory: Beta) => number) =>
    (likelihoodRatio * of(steady) + of(late)) / (likelihoodRatio + 1)
  const below = (x: number) => averaged((memory) => cdf(memory, x))
  return prospectOf(averaged(meanOf), below)
}

/** What is known of a rate, by its mean and by how probable it is that the rate lies below x. */
export function prospectOf(probability: number, below: (x: number) => number): Prospect {
  return {
    probability: rounded(probability),
    low: rounded(Math.min(probability, solve(below, TAIL))),
    high: rounded(Math.max(probability, solve(below, 1 - TAIL))),
  }
}

/** The x between 0 and 1 at which a rising function reaches y. */
function solve(rising: (x: number) => number, y: number): number {
  let low = 0
  let high = 1
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2
    if (rising(middle) < y) {
      low = middle
    } else {
      high = middle
    }
  }
  return (low + high) / 2
}

function rounded(x: number): number {
  return clamp(Math.round(10_000 * x) / 10_000, 0.0001, 0.9999)
}

/**
 * What is compared: simple ways of judging an agent by its events, and ours. Each gives a number from
 * 0 to 1, the greater the better; the simple ones see only whether an event was good.
 */

import { betaOf, cdf } from '../../src/domain/beta.ts'
import { impactOf } from '../../src/domain/event-weight.ts'
import { addEvent, type CountedEvent } from '../../src/domain/evidence.ts'
import { type Evidence, newEvidence } from '../../src/domain/evidence-state.ts'
import { forecastFrom } from '../../src/domain/forecast.ts'
import { MODEL } from '../../src/domain/model.ts'
import { scoreAt } from '../../src/domain/score.ts'
import { DAY_MS } from '../../src/domain/time.ts'

/** What one model has made of one agent so far. */
export interface Judge {
  add(event: CountedEvent): void
  value(at: number): number
}

export interface Predictor {
  readonly name: string
  /** As a table heads its column. */
  readonly label: string
  /** Of an agent registered at a time; `initialCeiling` is what its owner's last one, given up, stood at. */
  start(at: number, initialCeiling?: number): Judge
}

export function isGood({ type, data }: CountedEvent): boolean {
  return impactOf(MODEL, type, data) === 'positive'
}

/** Of a model that counts good and bad, the older ones less if `kept` is below 1. */
function counting(name: string, label: string, of: Valuation, kept = 1): Predictor {
  return {
    name,
    label,
    start() {
      let good = 0
      let bad = 0
      return {
        add(event) {
          good = good * kept + (isGood(event) ? 1 : 0)
          bad = bad * kept + (isGood(event) ? 0 : 1)
        },
        value: () => of(good, bad),
      }
    },
  }
}

/** A Beta mean of counts that decay by half in this many days. */
function fading(name: string, label: string, halfLifeDays: number): Predictor {
  return {
    name,
    label,
    start(at) {
      let [good, bad, last] = [0, 0, at]
      const fade = (at: number) => {
        const kept = 2 ** (-Math.max(0, at - last) / (halfLifeDays * DAY_MS))
        good *= kept
        bad *= kept
        last = Math.max(last, at)
      }
      return {
        add(event) {
          fade(event.at)
          good += isGood(event) ? 1 : 0
          bad += isGood(event) ? 0 : 1
        },
        value(at) {
          fade(at)
          return betaMean(good, bad)
        },
      }
    },
  }
}

type Valuation = (good: number, bad: number) => number

const ratio: Valuation = (good, bad) => (good + bad === 0 ? 0.5 : good / (good + bad))

const betaMean: Valuation = (good, bad) => (good + 1) / (good + bad + 2)

/** Lower end of Wilson's 95 % interval. */
const wilson: Valuation = (good, bad) => {
  const n = good + bad
  if (n === 0) {
    return 0
  }
  const z = 1.96
  const rate = good / n
  const margin = z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n))
  return (rate + (z * z) / (2 * n) - margin) / (1 + (z * z) / n)
}

/** The rate that the true one exceeds with 95 % probability. */
const betaLower: Valuation = (good, bad) => {
  const known = betaOf(good + 1, bad + 1)
  let [low, high] = [0, 1]
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2
    if (cdf(known, middle) < 0.05) {
      low = middle
    } else {
      high = middle
    }
  }
  return low
}

/** 5 more for a good event, 15 less for a bad one, from 250 of 1000. */
const points: Predictor = {
  name: 'points',
  label: '+5 / −15 points',
  start() {
    let sum = 250
    return {
      add(event) {
        sum = Math.min(1000, Math.max(0, sum + (isGood(event) ? 5 : -15)))
      },
      value: () => sum / 1000,
    }
  },
}

/** Standing's own model, read one way or the other. */
function standing(name: string, label: string, read: Reading): Predictor {
  return {
    name,
    label,
    start(at, initialCeiling = 1) {
      let evidence = newEvidence(MODEL, at, 1000 * initialCeiling)
      return {
        add(event) {
          evidence = addEvent(MODEL, evidence, event)
        },
        value: (at) => read(evidence, at),
      }
    },
  }
}

type Reading = (evidence: Evidence, at: number) => number

export const SCORE: Predictor = standing(
  'score',
  '**score**',
  (evidence, at) => scoreAt(MODEL, evidence, at).score / 1000,
)

/** Of the dimension that is known; half where none is. Histories measured live in one dimension. */
export const FORECAST: Predictor = standing('forecast', '**forecast**', (evidence) => {
  const { task, payment } = forecastFrom(MODEL, evidence)
  return (task ?? payment)?.probability ?? 0.5
})

export const BASELINES: readonly Predictor[] = [
  counting('ratio', 'raw ratio', ratio),
  points,
  counting('beta', 'Beta mean', betaMean),
  counting('beta-forgetting', 'Beta, forgetting .98', betaMean, 0.98),
  fading('beta-365', 'Beta, half-life 365 days', 365),
  counting('wilson', 'Wilson lower bound', wilson),
  counting('beta-lower', 'Beta lower bound', betaLower),
]

export const MODELS: readonly Predictor[] = [...BASELINES, SCORE, FORECAST]

/** Earning trust to abuse it. */

import type { EventType } from '../../../src/domain/event.ts'
import type { Predictor } from '../models.ts'
import { FAIR, GOOD, POOR } from '../tiers.ts'
import type { Measures, Scenario } from './scenario.ts'
import {
  type Chance,
  HONEST,
  newSubject,
  raised,
  type Subject,
  workADay,
} from './simulated-agent.ts'

const REPORTS_MAX = 3000

/** Reports until the score falls below each line, one deed after the other. */
function fall(subject: Subject, deed: (i: number) => void, lines: readonly number[]): Measures {
  const falls: Record<string, number | null> = {}
  for (const line of lines) {
    falls[`events to below ${line}`] = null
  }
  for (let i = 1; i <= REPORTS_MAX; i++) {
    deed(i)
    const score = subject.score()
    for (const line of lines) {
      if (score < line) {
        falls[`events to below ${line}`] ??= i
      }
    }
    if (lines.every((line) => score < line)) {
      break
    }
  }
  return falls
}

/** Eleven deeds a day, as many as there was work: two tasks failed to one payment. */
export const betrayal: Scenario = {
  name: 'betrayal after 180 honest days',
  run(model, chance) {
    const subject = raised(model, chance, 180)
    const deed = (i: number) => {
      const platform = `p${chance(4)}`
      if (i % 3 > 0) {
        subject.tell('task.failed', platform)
      } else {
        subject.tell('payment.failed', platform, { amount: 50, currency: 'USD' })
      }
      if (i % 11 === 0) {
        subject.nextDay()
      }
    }
    return fall(subject, deed, [GOOD, FAIR, POOR])
  },
}

export const defaults: Scenario = {
  name: 'defaults of $200 after 180 honest days',
  run: (model, chance) => ({
    'through 3 platforms, events to below 500': defaultsTo(model, chance, 3),
    'through 1': defaultsTo(model, chance, 1),
  }),
}

function defaultsTo(model: Predictor, chance: Chance, platforms: number): number | null {
  const subject = raised(model, chance, 180, { platforms })
  const data = { amount: 200, currency: 'USD' }
  const deed = () => subject.tell('payment.failed', `p${chance(platforms)}`, data)
  return fall(subject, deed, [FAIR])['events to below 500'] ?? null
}

/** Bad whenever the score allows it, good again until it does. */
export const onOff: Scenario = {
  name: 'on and off for 180 days: share of bad in percent',
  run: (model, chance) => ({
    'tasks, 3 platforms': badShare(model, chance, 3, 'task'),
    'payments, 3 platforms': badShare(model, chance, 3, 'payment'),
    'payments, 1 platform': badShare(model, chance, 1, 'payment'),
  }),
}

const ON_OFF_DAYS = 180
const DEEDS_A_DAY = 10

function badShare(
  model: Predictor,
  chance: Chance,
  platforms: number,
  kind: 'task' | 'payment',
): number {
  const subject = raised(model, chance, 180, { platforms })
  const data = kind === 'payment' ? { amount: 50, currency: 'USD' } : {}
  const other = kind === 'payment' ? 'task.completed' : 'payment.completed'
  let bad = 0
  for (let day = 0; day < ON_OFF_DAYS; day++) {
    for (let i = 0; i < DEEDS_A_DAY; i++) {
      const cheats = subject.score() >= GOOD
      if (cheats) {
        bad += 1
      }
      const type: EventType = `${kind}.${cheats ? 'failed' : 'completed'}`
      subject.tell(type, `p${chance(platforms)}`, data)
      subject.tell(other, `p${chance(platforms)}`, kind === 'task' ? { amount: 50 } : {})
    }
    subject.nextDay()
  }
  return (100 * bad) / (ON_OFF_DAYS * DEEDS_A_DAY)
}

export const tinyThenLarge: Scenario = {
  name: '300 payments of $1, then defaults of $5,000',
  run(model, chance) {
    const subject = raised(model, chance, 90, { payments: 0 })
    for (let i = 0; i < 300; i++) {
      subject.tell('payment.completed', `p${chance(4)}`, { amount: 1, currency: 'USD' })
      if (i % 10 === 9) {
        subject.nextDay()
      }
    }
    const scores: Record<string, number> = { 'score before': subject.score() }
    for (const count of [1, 2, 3]) {
      subject.tell('payment.failed', `p${chance(4)}`, { amount: 5000, currency: 'USD' })
      scores[count === 1 ? 'after 1 default' : `after ${count}`] = subject.score()
    }
    return scores
  },
}

/** Someone else works under a good name, and badly. */
export const rental: Scenario = {
  name: 'rented identity, 40 % of the work good',
  run(model, chance) {
    const subject = raised(model, chance, 180)
    const renting = (i: number) => {
      const type = chance(100) < 40 ? 'task.completed' : 'task.failed'
      subject.tell(type, `p${chance(4)}`)
      if (i % 8 === 0) {
        subject.nextDay()
      }
    }
    return fall(subject, renting, [GOOD, FAIR])
  },
}

const BETRAYALS = 60

/** Gives the agent up when its name is spoilt and registers another. */
export const whitewashing: Scenario = {
  name: 'whitewashing: a new identity after 60 bad deeds',
  run(model, chance) {
    const old = raised(model, chance, 180)
    for (let i = 0; i < BETRAYALS; i++) {
      old.tell('task.failed', `p${chance(4)}`)
    }
    const spoilt = old.score()
    const fresh = newSubject(model, spoilt / 1000)
    const gain = fresh.score() - spoilt
    const newcomer = newSubject(model)
    for (let day = 0; day < 30; day++) {
      for (const subject of [fresh, newcomer, old]) {
        workADay(subject, chance, HONEST)
        subject.nextDay()
      }
    }
    return {
      'gain at once': gain,
      'gain after 30 honest days': fresh.score() - old.score(),
      'against an honest newcomer': fresh.score() - newcomer.score(),
    }
  },
}

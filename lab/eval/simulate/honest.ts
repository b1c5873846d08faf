/** No attacks: what honest agents get. Whatever resists attacks must leave them this. */

import type { Predictor } from '../models.ts'
import { GOOD } from '../tiers.ts'
import type { Scenario } from './scenario.ts'
import { type Chance, HONEST, newSubject, raised, workADay } from './simulated-agent.ts'

const DAYS_MAX = 360

export const honest: Scenario = {
  name: 'honest agent',
  run(model, chance) {
    const subject = newSubject(model)
    subject.tell('credential.issued', 'p0')
    while (subject.score() < GOOD && subject.day < DAYS_MAX) {
      workADay(subject, chance, HONEST)
      if (subject.score() < GOOD) {
        subject.nextDay()
      }
    }
    const reached = subject.score() >= GOOD
    return {
      'events to Good': reached ? subject.reports : null,
      'days to Good': reached ? subject.day : null,
      'score after 180 days': raised(model, chance, 180).score(),
    }
  },
}

export const firstDay: Scenario = {
  name: 'first day',
  run: (model, chance) => ({
    'score after 3 good reports': dayOne(model, chance, 3, 100),
    'after 10': dayOne(model, chance, 10, 100),
    'after 100': dayOne(model, chance, 100, 100),
    'after 400, of which 77 % good': dayOne(model, chance, 400, 77),
    'after 400, of which 50 % good': dayOne(model, chance, 400, 50),
  }),
}

function dayOne(model: Predictor, chance: Chance, reports: number, well: number): number {
  const subject = newSubject(model)
  for (let i = 0; i < reports; i++) {
    subject.tell(chance(100) < well ? 'task.completed' : 'task.failed', `p${chance(3)}`)
  }
  return subject.score()
}

export const oneDimension: Scenario = {
  name: 'living in one dimension, 180 days',
  run: (model, chance) => ({
    'only tasks': raised(model, chance, 180, { payments: 0 }).score(),
    'only payments': raised(model, chance, 180, { tasks: 0 }).score(),
    'only payments of a dollar': micropayer(model, chance),
  }),
}

function micropayer(model: Predictor, chance: Chance): number {
  const subject = newSubject(model)
  for (let day = 0; day < 180; day++) {
    for (let i = 0; i < 10; i++) {
      subject.tell('payment.completed', `p${chance(4)}`, { amount: 1, currency: 'USD' })
    }
    subject.nextDay()
  }
  return subject.score()
}

/** Proven bad for half a year, spotless for another. */
export const rehabilitation: Scenario = {
  name: 'rehabilitation, 180 spotless days',
  run: (model, chance) => ({
    'score by three platforms': reformed(model, chance, 3),
    'by one': reformed(model, chance, 1),
  }),
}

function reformed(model: Predictor, chance: Chance, platforms: number): number {
  const subject = raised(model, chance, 180, { well: 25 })
  for (let day = 0; day < 180; day++) {
    workADay(subject, chance, { ...HONEST, platforms, well: 100 })
    subject.nextDay()
  }
  return subject.score()
}

/** An agent in a simulation: what happens to it, and what a model makes of it. */

import type { EventData, EventType } from '../../../src/domain/event.ts'
import { below, chanceOf as sfc32 } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import type { Judge, Predictor } from '../models.ts'

const START = 20_000 * DAY_MS

/** Whole numbers below a bound, the same in every run of a seed. */
export type Chance = (bound: number) => number

export function chanceOf(seed: number): Chance {
  const chance = sfc32(seed)
  return (bound) => below(chance, bound)
}

export interface Subject {
  /** Days since the beginning. */
  readonly day: number
  /** Reports so far. */
  readonly reports: number
  /** Points, 0 to 1000. */
  score(): number
  /** Something happened, reported by a platform, now. */
  tell(type: EventType, platform: string, data?: EventData): void
  /** Something happened, reported by the agent itself, now. */
  claim(type: EventType, data?: EventData): void
  nextDay(): void
}

export function newSubject(model: Predictor, initialCeiling?: number): Subject {
  const judge: Judge = model.start(START, initialCeiling)
  let day = 0
  let reports = 0
  const now = () => START + day * DAY_MS
  const add = (type: EventType, reporter: string, self: boolean, data: EventData) => {
    judge.add({ type, data, reporter, self, at: now() })
    reports += 1
  }
  return {
    get day() {
      return day
    },
    get reports() {
      return reports
    },
    score: () => 1000 * judge.value(now()),
    tell: (type, platform, data = {}) => add(type, platform, false, data),
    claim: (type, data = {}) => add(type, 'self', true, data),
    nextDay() {
      day += 1
    },
  }
}

/** What an honest agent's customers say in a day: eight tasks and three payments of 10 to 110 dollars. */
export interface Work {
  readonly platforms: number
  /** Of a hundred, how many go well. */
  readonly well: number
  readonly tasks: number
  readonly payments: number
}

export const HONEST: Work = { platforms: 4, well: 97, tasks: 8, payments: 3 }

export function workADay(subject: Subject, chance: Chance, work: Work): void {
  const { platforms, well, tasks, payments } = work
  for (let i = 0; i < tasks; i++) {
    const type = chance(100) < well ? 'task.completed' : 'task.failed'
    subject.tell(type, `p${chance(platforms)}`)
  }
  for (let i = 0; i < payments; i++) {
    const data = { amount: 10 + chance(100), currency: 'USD', daysLate: 3 }
    const type = chance(100) < well ? 'payment.completed' : 'payment.late'
    subject.tell(type, `p${chance(platforms)}`, data)
  }
}

/** An agent after a number of days of work, with a credential by a platform. */
export function raised(
  model: Predictor,
  chance: Chance,
  days: number,
  work: Partial<Work> = {},
): Subject {
  const subject = newSubject(model)
  subject.tell('credential.issued', 'p0')
  for (let day = 0; day < days; day++) {
    workADay(subject, chance, { ...HONEST, ...work })
    subject.nextDay()
  }
  return subject
}

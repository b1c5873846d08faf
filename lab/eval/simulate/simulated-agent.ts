/** An agent in a simulation: what happens to it, and what a model makes of it. */

import type { EventData, EventType } from '../../../src/domain/event.ts'
import { below, type Chance } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import type { Judge, Predictor } from '../models.ts'

const START = 20_000 * DAY_MS

export interface SimulatedAgent {
  /** Days since the beginning. */
  readonly day: number
  /** Reports so far. */
  readonly reportCount: number
  /** Points, 0 to 1000. */
  score(): number
  /** A platform reports an event about it, now. */
  report(type: EventType, platform: string, data?: EventData): void
  /** It reports an event about itself, now. */
  selfReport(type: EventType, data?: EventData): void
  nextDay(): void
}

export function newAgent(model: Predictor, initialCeiling?: number): SimulatedAgent {
  const judge: Judge = model.start(START, initialCeiling)
  let day = 0
  let reportCount = 0
  const now = () => START + day * DAY_MS
  const add = (type: EventType, reporter: string, self: boolean, data: EventData) => {
    judge.add({ type, data, reporter, self, at: now() })
    reportCount += 1
  }
  return {
    get day() {
      return day
    },
    get reportCount() {
      return reportCount
    },
    score: () => 1000 * judge.value(now()),
    report: (type, platform, data = {}) => add(type, platform, false, data),
    selfReport: (type, data = {}) => add(type, 'self', true, data),
    nextDay() {
      day += 1
    },
  }
}

/** What an honest agent's customers say in a day: eight tasks and three payments of 10 to 110 dollars. */
export interface Work {
  readonly platforms: number
  /** Of a hundred tasks or payments, how many go well. */
  readonly goodPercent: number
  readonly tasks: number
  readonly payments: number
}

export const HONEST: Work = { platforms: 4, goodPercent: 97, tasks: 8, payments: 3 }

export function workOneDay(agent: SimulatedAgent, chance: Chance, work: Work): void {
  const { platforms, goodPercent, tasks, payments } = work
  for (let i = 0; i < tasks; i++) {
    const type = below(chance, 100) < goodPercent ? 'task.completed' : 'task.failed'
    agent.report(type, `p${below(chance, platforms)}`)
  }
  for (let i = 0; i < payments; i++) {
    const usd = { amount: 10 + below(chance, 100), currency: 'USD' }
    const isGood = below(chance, 100) < goodPercent
    const platform = `p${below(chance, platforms)}`
    if (isGood) {
      agent.report('payment.completed', platform, usd)
    } else {
      agent.report('payment.late', platform, { ...usd, daysLate: 3 })
    }
  }
}

/** An agent after a number of days of work, with a credential by a platform. */
export function agentAfter(
  model: Predictor,
  chance: Chance,
  days: number,
  work: Partial<Work> = {},
): SimulatedAgent {
  const agent = newAgent(model)
  agent.report('credential.issued', 'p0')
  for (let day = 0; day < days; day++) {
    workOneDay(agent, chance, { ...HONEST, ...work })
    agent.nextDay()
  }
  return agent
}

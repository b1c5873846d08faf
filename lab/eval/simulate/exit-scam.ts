/** Earning trust to abuse it. */

import type { EventType } from '../../../src/domain/event.ts'
import { below, type Chance } from '../../../src/domain/testing/chance.ts'
import type { Predictor } from '../models.ts'
import { FAIR, GOOD, POOR } from '../tiers.ts'
import type { Measures, Scenario } from './scenario.ts'
import { agentAfter, HONEST, newAgent, type SimulatedAgent, workOneDay } from './simulated-agent.ts'

const REPORTS_MAX = 3000

/** Bad reports, one after the other, until the score is below each of some limits. */
function reportsUntilBelow(
  agent: SimulatedAgent,
  limits: readonly number[],
  reportBad: (i: number) => void,
): Measures {
  const reports = new Map<number, number>()
  for (let i = 1; i <= REPORTS_MAX && reports.size < limits.length; i++) {
    reportBad(i)
    const score = agent.score()
    for (const limit of limits.filter((one) => score < one && !reports.has(one))) {
      reports.set(limit, i)
    }
  }
  return Object.fromEntries(
    limits.map((limit) => [`events to below ${limit}`, reports.get(limit) ?? null]),
  )
}

/** Eleven bad reports a day, as many as there was work: two failed tasks to one payment. */
export const exitScam: Scenario = {
  name: 'exit scam after 180 honest days',
  run(model, chance) {
    const agent = agentAfter(model, chance, 180)
    return reportsUntilBelow(agent, [GOOD, FAIR, POOR], (i) => {
      const platform = `p${below(chance, 4)}`
      if (i % 3 > 0) {
        agent.report('task.failed', platform)
      } else {
        agent.report('payment.failed', platform, { amount: 50, currency: 'USD' })
      }
      if (i % 11 === 0) {
        agent.nextDay()
      }
    })
  },
}

export const defaults: Scenario = {
  name: 'defaults of $200 after 180 honest days',
  run: (model, chance) => ({
    [`through 3 platforms, events to below ${FAIR}`]: defaultsTo(model, chance, 3),
    'through 1': defaultsTo(model, chance, 1),
  }),
}

function defaultsTo(model: Predictor, chance: Chance, platforms: number): number | null {
  const agent = agentAfter(model, chance, 180, { platforms })
  const data = { amount: 200, currency: 'USD' }
  const reports = reportsUntilBelow(agent, [FAIR], () =>
    agent.report('payment.failed', `p${below(chance, platforms)}`, data),
  )
  return reports[`events to below ${FAIR}`] ?? null
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
const CHANCES_A_DAY = 10

function badShare(
  model: Predictor,
  chance: Chance,
  platforms: number,
  kind: 'task' | 'payment',
): number {
  const agent = agentAfter(model, chance, 180, { platforms })
  const data = kind === 'payment' ? { amount: 50, currency: 'USD' } : {}
  const other = kind === 'payment' ? 'task.completed' : 'payment.completed'
  let bad = 0
  for (let day = 0; day < ON_OFF_DAYS; day++) {
    for (let i = 0; i < CHANCES_A_DAY; i++) {
      const cheats = agent.score() >= GOOD
      if (cheats) {
        bad += 1
      }
      const type: EventType = `${kind}.${cheats ? 'failed' : 'completed'}`
      agent.report(type, `p${below(chance, platforms)}`, data)
      agent.report(other, `p${below(chance, platforms)}`, kind === 'task' ? { amount: 50 } : {})
    }
    agent.nextDay()
  }
  return (100 * bad) / (ON_OFF_DAYS * CHANCES_A_DAY)
}

export const tinyThenLarge: Scenario = {
  name: '300 payments of $1, then defaults of $5,000',
  run(model, chance) {
    const agent = agentAfter(model, chance, 90, { payments: 0 })
    for (let i = 0; i < 300; i++) {
      agent.report('payment.completed', `p${below(chance, 4)}`, { amount: 1, currency: 'USD' })
      if (i % 10 === 9) {
        agent.nextDay()
      }
    }
    const scores: Record<string, number> = { 'score before': agent.score() }
    for (const count of [1, 2, 3]) {
      agent.report('payment.failed', `p${below(chance, 4)}`, { amount: 5000, currency: 'USD' })
      scores[count === 1 ? 'after 1 default' : `after ${count}`] = agent.score()
    }
    return scores
  },
}

/** Another party works with a good agent's key, and badly. */
export const rental: Scenario = {
  name: 'rented identity, 40 % of the work good',
  run(model, chance) {
    const agent = agentAfter(model, chance, 180)
    return reportsUntilBelow(agent, [GOOD, FAIR], (i) => {
      const type = below(chance, 100) < 40 ? 'task.completed' : 'task.failed'
      agent.report(type, `p${below(chance, 4)}`)
      if (i % 8 === 0) {
        agent.nextDay()
      }
    })
  },
}

const FAILURES = 60

/** Deactivates the agent after its failures and registers another. */
export const whitewashing: Scenario = {
  name: 'whitewashing: a new identity after 60 bad deeds',
  run(model, chance) {
    const old = agentAfter(model, chance, 180)
    for (let i = 0; i < FAILURES; i++) {
      old.report('task.failed', `p${below(chance, 4)}`)
    }
    const last = old.score()
    const fresh = newAgent(model, last / 1000)
    const gain = fresh.score() - last
    const newcomer = newAgent(model)
    for (let day = 0; day < 30; day++) {
      for (const agent of [fresh, newcomer, old]) {
        workOneDay(agent, chance, HONEST)
        agent.nextDay()
      }
    }
    return {
      'gain at once': gain,
      'gain after 30 honest days': fresh.score() - old.score(),
      'against an honest newcomer': fresh.score() - newcomer.score(),
    }
  },
}

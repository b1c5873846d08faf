/** False reports: about oneself, for accomplices, against others. */

import type { Chance } from '../../../src/domain/testing/chance.ts'
import type { Predictor } from '../models.ts'
import { GOOD } from '../tiers.ts'
import type { Measures, Scenario } from './scenario.ts'
import { agentAfter, HONEST, newAgent, type SimulatedAgent, workOneDay } from './simulated-agent.ts'

/**
 * As many events about an agent as the service takes from one reporter in a day, at 100 an hour. The platforms of a
 * ring send as many together, so that their number alone makes the difference.
 */
const REPORTS_A_DAY = 2400
const FLOOD_DAYS = 60

export const selfReports: Scenario = {
  name: 'self-reports',
  run(model) {
    const agent = newAgent(model)
    let peak = 0
    for (let i = 1; i <= 2000; i++) {
      if (i % 2) {
        agent.selfReport('task.completed')
      } else {
        agent.selfReport('payment.completed', { amount: 1000, currency: 'USD' })
      }
      peak = Math.max(peak, agent.score())
    }
    return { '2,000, peak': peak }
  },
}

/** Platforms that together praise a newcomer as often as the service lets one of them. */
export const ring: Scenario = {
  name: 'collusion: a newcomer praised without end',
  run: (model) => ({
    ...collusionRing(model, 1, 'by 1 platform'),
    ...collusionRing(model, 2, 'by 2 platforms'),
    ...collusionRing(model, 3, 'by 3 platforms'),
  }),
}

function collusionRing(model: Predictor, platforms: number, who: string): Measures {
  const agent = newAgent(model)
  agent.report('credential.issued', 'r0')
  let firstDay = 0
  let good: number | null = null
  for (let day = 1; day <= FLOOD_DAYS; day++) {
    for (let i = 0; i < REPORTS_A_DAY; i++) {
      praise(agent, i, `r${Math.floor(i / 2) % platforms}`)
    }
    if (day === 1) {
      firstDay = agent.score()
    }
    if (agent.score() >= GOOD) {
      good ??= day
    }
    agent.nextDay()
  }
  return {
    [`${who}, first day`]: firstDay,
    [`${who}, days to Good`]: good,
    [`${who}, after ${FLOOD_DAYS} days`]: agent.score(),
  }
}

function praise(agent: SimulatedAgent, i: number, platform: string): void {
  if (i % 2) {
    agent.report('task.completed', platform)
  } else {
    agent.report('payment.completed', platform, { amount: 100, currency: 'USD' })
  }
}

/** An agent that is bad for three platforms, and praised by a fourth. */
export const ballotStuffing: Scenario = {
  name: 'ballot stuffing for a bad agent (35 % good)',
  run(model, chance) {
    const bad = { ...HONEST, platforms: 3, goodPercent: 35 }
    const agent = agentAfter(model, chance, 60, bad)
    const before = agent.score()
    let peak = 0
    for (let day = 0; day < FLOOD_DAYS; day++) {
      workOneDay(agent, chance, bad)
      for (let i = 0; i < 100; i++) {
        praise(agent, i, 'friend')
      }
      peak = Math.max(peak, agent.score())
      agent.nextDay()
    }
    return { 'score before': before, 'peak, 1 friendly platform': peak }
  },
}

/** One platform of four says nothing but bad of a good agent. */
export const badMouthing: Scenario = {
  name: 'bad-mouthing of a good agent by one platform of four',
  run: (model, chance) => ({
    ...slandered(model, chance, { age: 180, days: 2, what: '2 days' }),
    ...slandered(model, chance, { age: 180, days: 30, what: '30 days' }),
    ...slandered(model, chance, { age: 14, days: 2, what: '2 days, agent of 14 days' }),
  }),
}

const BACK_DAYS_MAX = 180

/** How old the agent is, and for how long it is slandered, in days. */
interface Slander {
  readonly age: number
  readonly days: number
  readonly what: string
}

function slandered(model: Predictor, chance: Chance, { age, days, what }: Slander): Measures {
  const agent = agentAfter(model, chance, age)
  const before = agent.score()
  let lowest = before
  const work = { ...HONEST, platforms: 3 }
  for (let day = 0; day < days; day++) {
    for (let i = 0; i < 100; i++) {
      if (i % 2) {
        agent.report('task.failed', 'p3')
      } else {
        agent.report('payment.disputed', 'p3', { amount: 50, currency: 'USD' })
      }
    }
    lowest = Math.min(lowest, agent.score())
    workOneDay(agent, chance, work)
    agent.nextDay()
  }
  let back: number | null = null
  for (let day = 0; day <= BACK_DAYS_MAX && back === null; day++) {
    if (agent.score() >= GOOD) {
      back = day
    }
    workOneDay(agent, chance, work)
    agent.nextDay()
  }
  return {
    [`${what}, lowest`]: lowest,
    [`${what}, harm`]: before - lowest,
    [`${what}, days until Good again`]: back,
  }
}

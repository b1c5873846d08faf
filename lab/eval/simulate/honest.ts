/** No attacks: what honest agents get. Whatever resists attacks must leave them this. */

import { below, type Chance } from '../../../src/domain/testing/chance.ts'
import type { Predictor } from '../models.ts'
import { GOOD } from '../tiers.ts'
import type { Scenario } from './scenario.ts'
import { agentAfter, HONEST, newAgent, workOneDay } from './simulated-agent.ts'

const DAYS_MAX = 360

export const honest: Scenario = {
  name: 'honest agent',
  run(model, chance) {
    const agent = newAgent(model)
    agent.report('credential.issued', 'p0')
    while (agent.score() < GOOD && agent.day < DAYS_MAX) {
      workOneDay(agent, chance, HONEST)
      if (agent.score() < GOOD) {
        agent.nextDay()
      }
    }
    const reached = agent.score() >= GOOD
    return {
      'events to Good': reached ? agent.reportCount : null,
      'days to Good': reached ? agent.day : null,
      'score after 180 days': agentAfter(model, chance, 180).score(),
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

function dayOne(model: Predictor, chance: Chance, reports: number, goodPercent: number): number {
  const agent = newAgent(model)
  for (let i = 0; i < reports; i++) {
    agent.report(
      below(chance, 100) < goodPercent ? 'task.completed' : 'task.failed',
      `p${below(chance, 3)}`,
    )
  }
  return agent.score()
}

export const oneDimension: Scenario = {
  name: 'living in one dimension, 180 days',
  run: (model, chance) => ({
    'only tasks': agentAfter(model, chance, 180, { payments: 0 }).score(),
    'only payments': agentAfter(model, chance, 180, { tasks: 0 }).score(),
    'only payments of a dollar': micropayer(model, chance),
  }),
}

function micropayer(model: Predictor, chance: Chance): number {
  const agent = newAgent(model)
  for (let day = 0; day < 180; day++) {
    for (let i = 0; i < 10; i++) {
      agent.report('payment.completed', `p${below(chance, 4)}`, { amount: 1, currency: 'USD' })
    }
    agent.nextDay()
  }
  return agent.score()
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
  const agent = agentAfter(model, chance, 180, { goodPercent: 25 })
  for (let day = 0; day < 180; day++) {
    workOneDay(agent, chance, { ...HONEST, platforms, goodPercent: 100 })
    agent.nextDay()
  }
  return agent.score()
}

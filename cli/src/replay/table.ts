import { count } from './progress.ts'
import type { Agreement, RankedAgent, Result } from './result.ts'

/** Of a long ranking so many of the best and of the worst agents are shown. */
const SHOWN_EACH = 15

/** The result as text for a terminal. */
export function describeResult(result: Result): string {
  return [...ranking(result), '', ...summary(result), ''].join('\n')
}

function ranking({ agents, compared }: Result): readonly string[] {
  const ranked = compared > 0 ? agents.filter((agent) => agent.truth) : agents
  const lines = ranked.map((agent, n) => row(n + 1, agent))
  const head = 'rank  score  classification  confidence  events  later success  agent'
  if (lines.length <= 2 * SHOWN_EACH) {
    return [head, ...lines]
  }
  const hidden = `      … ${count(lines.length - 2 * SHOWN_EACH)} more …`
  return [head, ...lines.slice(0, SHOWN_EACH), hidden, ...lines.slice(-SHOWN_EACH)]
}

function row(rank: number, agent: RankedAgent): string {
  return [
    String(rank).padStart(4),
    String(agent.score).padStart(7),
    `  ${agent.classification}`.padEnd(18),
    agent.confidence.padEnd(10),
    String(agent.reported).padStart(8),
    later(agent.truth).padStart(15),
    `  ${agent.name}`,
  ].join('')
}

function later(truth: RankedAgent['truth']): string {
  if (truth === null) {
    return '-'
  }
  if (truth.total === 1) {
    return truth.good === 1 ? 'good' : 'bad'
  }
  return `${truth.good}/${truth.total} ${((100 * truth.good) / truth.total).toFixed(0)} %`
}

function summary(result: Result): readonly string[] {
  const { accepted, quarantined, rejected } = result
  const reasons = Object.entries(result.reasons).slice(0, 5)
  return [
    `accepted ${count(accepted)} (quarantined ${count(quarantined)}), rejected ${count(rejected)}`,
    ...reasons.map(([reason, times]) => `  ${count(times)} × ${reason}`),
    `${count(result.events)} events in ${result.seconds.toFixed(1)} s, ${count(result.eventsPerSecond)}/s`,
    ...comparison(result),
    `run ${result.run}`,
  ]
}

function comparison({ compared, byScore, byShare }: Result): readonly string[] {
  if (compared === 0) {
    return ['No agent has later events to compare with. --history N sets some aside.']
  }
  return [
    `score against later success, ${count(compared)} agents: ${agreement(byScore)}`,
    `  for comparison, the share of good events so far: ${agreement(byShare)}`,
  ]
}

function agreement({ spearman, auc }: Agreement): string {
  return `Spearman ${figure(spearman)}, AUC ${figure(auc)}`
}

function figure(value: number | null): string {
  return value === null ? 'undefined' : value.toFixed(3)
}

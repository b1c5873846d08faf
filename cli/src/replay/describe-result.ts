import { grouped } from '../output.ts'
import { inLine } from '../printable.ts'
import type { Agreement, RankedAgent, Result } from './result.ts'

/** The number of best and of worst agents that are shown of a long ranking. */
const SHOWN_EACH = 15

/** The number of rejected lines and skipped agents that are named. */
const REJECTED_SHOWN = 5
const LEFT_OUT_SHOWN = 20

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
  const hidden = `      … ${grouped(lines.length - 2 * SHOWN_EACH)} more …`
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
    `  ${inLine(agent.name)}`,
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
    `accepted ${grouped(accepted)} (quarantined ${grouped(quarantined)}), rejected ${grouped(rejected)}`,
    ...reasons.map(([reason, times]) => `  ${grouped(times)} × ${inLine(reason)}`),
    ...result.rejectedLines
      .slice(0, REJECTED_SHOWN)
      .map(({ line, reason }) => `  line ${line}: ${inLine(reason)}`),
    `${grouped(result.events)} events in ${result.seconds.toFixed(1)} s, ${grouped(result.eventsPerSecond)}/s`,
    ...comparison(result),
    ...leftOut(result),
    `run ${result.run}`,
  ]
}

function comparison({ compared, byScore, byShare }: Result): readonly string[] {
  if (compared === 0) {
    return ['No agent has later events to compare with. --history N sets some aside.']
  }
  return [
    `score against later success, ${grouped(compared)} agents: ${agreement(byScore)}`,
    `  for comparison, the share of good events so far: ${agreement(byShare)}`,
  ]
}

/** The agents that are not in the ranking, and why. */
function leftOut({ agents, compared, unreported }: Result): readonly string[] {
  const without = agents.filter(({ truth }) => truth === null).map(({ name }) => name)
  return [
    ...(compared > 0 ? named('not ranked, because nothing came later', without) : []),
    ...named('not reported', unreported),
  ]
}

function named(why: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) {
    return []
  }
  const more = names.length > LEFT_OUT_SHOWN ? ` and ${names.length - LEFT_OUT_SHOWN} more` : ''
  return [`${why}: ${names.slice(0, LEFT_OUT_SHOWN).map(inLine).join(', ')}${more}`]
}

function agreement({ spearman, auc }: Agreement): string {
  return `Spearman ${figure(spearman)}, AUC ${figure(auc)}`
}

function figure(value: number | null): string {
  return value === null ? 'undefined' : value.toFixed(3)
}

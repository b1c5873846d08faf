import type { Classification, Confidence, Score } from '@standing/sdk'
import type { AgentPlan } from './plan.ts'
import { auc, type Prediction, spearman } from './predictions.ts'
import type { Counts, RejectedLine } from './report.ts'

export interface RankedAgent {
  readonly name: string
  readonly agentId: string
  readonly score: number
  readonly classification: Classification
  readonly confidence: Confidence
  readonly reported: number
  readonly truth: { readonly good: number; readonly total: number } | null
}

export interface Agreement {
  readonly spearman: number | null
  readonly auc: number | null
}

export interface Result {
  readonly run: string
  readonly file: string
  readonly url: string
  readonly seconds: number
  readonly events: number
  readonly eventsPerSecond: number
  readonly accepted: number
  readonly quarantined: number
  readonly rejected: number
  readonly reasons: Readonly<Record<string, number>>
  /** The first of the rejected events, in the order of their lines in the file. */
  readonly rejectedLines: readonly RejectedLine[]
  /** Agents of the file of which no event was reported. */
  readonly unreported: readonly string[]
  /** How many agents have later events to compare with. */
  readonly compared: number
  readonly byScore: Agreement
  /** `byScore` for a ranking by the share of good events so far. */
  readonly byShare: Agreement
  /** Highest score first. */
  readonly agents: readonly RankedAgent[]
}

export interface Facts {
  readonly run: string
  readonly file: string
  readonly url: string
  readonly seconds: number
  readonly counts: Counts
  readonly plans: ReadonlyMap<string, AgentPlan>
  readonly unreported: readonly string[]
  readonly scores: ReadonlyMap<string, Score>
}

/** Compares the scores, by the agents' names, with what came later. */
export function resultOf(facts: Facts): Result {
  const { run, file, url, seconds, counts, plans, unreported, scores } = facts
  const agents = [...scores].flatMap(([name, score]) => {
    const plan = plans.get(name)
    return plan ? [rankedAgent(plan, score)] : []
  })
  agents.sort((a, b) => b.score - a.score)
  const { accepted, quarantined, rejected } = counts
  const events = accepted + rejected
  return {
    run,
    file,
    url,
    seconds,
    events,
    eventsPerSecond: seconds > 0 ? Math.round(events / seconds) : 0,
    accepted,
    quarantined,
    rejected,
    reasons: Object.fromEntries(counts.reasons),
    rejectedLines: counts.rejectedLines.toSorted((a, b) => a.line - b.line),
    unreported,
    compared: agents.filter((agent) => agent.truth).length,
    byScore: agreement(agents, (agent) => agent.score),
    byShare: agreement(agents, ({ name, reported }) => {
      return (plans.get(name)?.reportedGood ?? 0) / reported
    }),
    agents,
  }
}

function rankedAgent(plan: AgentPlan, score: Score): RankedAgent {
  return {
    name: plan.name,
    agentId: score.agentId,
    score: score.score,
    classification: score.classification,
    confidence: score.confidence,
    reported: plan.reported,
    truth: plan.truth ?? null,
  }
}

function agreement(
  agents: readonly RankedAgent[],
  predict: (agent: RankedAgent) => number,
): Agreement {
  const predictions: readonly Prediction[] = agents.flatMap((agent) => {
    const { good, total } = agent.truth ?? { good: 0, total: 0 }
    return total > 0 ? [{ value: predict(agent), good, bad: total - good }] : []
  })
  return { spearman: spearman(predictions), auc: auc(predictions) }
}

import type { Classification, Confidence, Score } from '@standing/sdk'
import type { Counts } from './deliver.ts'
import type { AgentPlan } from './plan.ts'
import { auc, type Forecasted, spearman } from './statistics.ts'

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
  /** How many agents have a later success to be compared with. */
  readonly compared: number
  readonly byScore: Agreement
  /** What ranking by the plain share of good events so far would have reached. */
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
  readonly scores: ReadonlyMap<string, Score>
}

/** Sets the scores, by the agents' names, beside what came later. */
export function resultOf({ run, file, url, seconds, counts, plans, scores }: Facts): Result {
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
  foretell: (agent: RankedAgent) => number,
): Agreement {
  const pairs: readonly Forecasted[] = agents.flatMap((agent) =>
    agent.truth ? [{ ...agent.truth, score: foretell(agent) }] : [],
  )
  return { spearman: spearman(pairs) ?? null, auc: auc(pairs) ?? null }
}

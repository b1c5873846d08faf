import { getAgent } from '../../api/agents.ts'
import { refresh } from '../../api/cache.ts'
import { type Resource, useResource } from '../../api/resource.ts'
import { explain, getScore, quarantinedScore } from '../../api/scores.ts'
import type { Agent, Explanation, QuarantinedScore, Score } from '../../api/types.ts'
import type { Kind } from '../../session/session.ts'

/** An agent as the pages about it share it. */
export interface AgentView {
  readonly id: string
  readonly kind: Kind
  /** Without data for a platform, which may not read it. */
  readonly agent: Resource<Agent>
  readonly score: Resource<Score>
}

/** A score costs a lookup, and moves when an event comes, which the events page sees. */
const SCORE_FRESH_MS = 30_000

export function useAgentView(kind: Kind, id: string): AgentView {
  const agent = useResource(kind === 'platform' ? null : `agent:${id}`, (signal) =>
    getAgent(id, signal),
  )
  const score = useResource(`score:${id}`, (signal) => getScore(id, signal), {
    freshMs: SCORE_FRESH_MS,
  })
  return { id, kind, agent, score }
}

export function useExplanation(id: string): Resource<Explanation> {
  return useResource(`explanation:${id}`, (signal) => explain(id, signal), {
    freshMs: SCORE_FRESH_MS,
  })
}

/** What the score would be if the quarantined events counted; asked where there are any. */
export function useQuarantinedScore({ id, kind, score }: AgentView): Resource<QuarantinedScore> {
  const hasAny = (score.data?.evidence.quarantined ?? 0) > 0 && kind !== 'platform'
  return useResource(hasAny ? `quarantined:${id}` : null, (signal) => quarantinedScore(id, signal))
}

/** What is read about an agent, by the part of its key before the id. */
type Part =
  | 'agent'
  | 'score'
  | 'explanation'
  | 'history'
  | 'events'
  | 'quarantined'
  | 'strip'
  | 'trend'

/** Reads parts again, and the scores of the list. */
export function refreshParts(id: string, ...parts: readonly Part[]): void {
  refresh('scores', ...parts.map((part) => `${part}:${id}`))
}

/** Something about the agent has changed: its score may have, too. */
export function refreshAgent(id: string): void {
  refreshParts(
    id,
    'agent',
    'score',
    'explanation',
    'history',
    'events',
    'quarantined',
    'strip',
    'trend',
  )
}

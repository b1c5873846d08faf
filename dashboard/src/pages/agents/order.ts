import { shownTier } from '@standing/design/tier.ts'
import type { Agent, Score } from '../../api/types.ts'

export interface AgentFilter {
  readonly text: string
  /** A shown tier, or nothing for all. */
  readonly tier: string
  /** A status, `all`, or nothing for those in use. */
  readonly status: string
  /** `name`, `best`, `worst`, or nothing for newest first. */
  readonly sort: string
}

export type Scores = ReadonlyMap<string, Score>

/** The agents that fit, in the order wanted. They come newest first. */
export function filterAgents(
  agents: readonly Agent[],
  scores: Scores,
  { text, tier, status, sort }: AgentFilter,
): readonly Agent[] {
  const words = text.trim().toLowerCase().split(/\s+/)
  const fits = (agent: Agent) => {
    const searched = `${agent.displayName} ${agent.id}`.toLowerCase()
    if (!words.every((word) => searched.includes(word))) {
      return false
    }
    if (!fitsStatus(agent, status)) {
      return false
    }
    const score = scores.get(agent.id)
    return tier === '' || (score !== undefined && shownTier(score) === tier)
  }
  const found = agents.filter(fits)
  const compare = orderOf(sort, scores)
  return compare ? found.sort(compare) : found
}

function fitsStatus(agent: Agent, status: string): boolean {
  if (status === 'all') {
    return true
  }
  return status === '' ? agent.status !== 'deactivated' : agent.status === status
}

/** Made once: ten thousand names are compared as they arrive, page by page. */
const compareNames = new Intl.Collator().compare

function orderOf(sort: string, scores: Scores): ((a: Agent, b: Agent) => number) | null {
  // Agents whose score is not known yet come last either way.
  const scoreOf = ({ id }: Agent, unknown: number) => scores.get(id)?.score ?? unknown
  switch (sort) {
    case 'name':
      return (a, b) => compareNames(a.displayName, b.displayName)
    case 'best':
      return (a, b) => scoreOf(b, -1) - scoreOf(a, -1)
    case 'worst':
      return (a, b) => scoreOf(a, 1_001) - scoreOf(b, 1_001)
    default:
      return null
  }
}

import { DAY_MS } from '../domain/time.ts'
import type { AgentState } from '../store/store.ts'
import { isLow } from './fold.ts'

/**
 * For how long an agent's score limits the owner's next agents: a new agent starts no higher than the worst
 * agent of its owner in that time, kept or given up, because a fresh start must not pay.
 */
export const OWNER_MEMORY_MS = 365 * DAY_MS

/** The low scores of each owner's agents, in memory: what limits the owner's next agent. */
export interface LowScores {
  /** Notes the score of an agent, as of its latest event or its registration. */
  note(agentState: AgentState): void
  /** Notes the new score of an agent whose earlier score was noted. */
  noteMove(agentState: AgentState, scoreBefore: number | undefined): void
  /** Notes a score that an agent had. Times do not go back. */
  noteSnapshot(ownerId: string, score: number, at: number): void
  /** The lowest of the year before a time; undefined where none is below that of a new agent. */
  initialCeiling(ownerId: string, at: number): number | undefined
}

interface OwnerRecord {
  /** The owner's agents that have a low score now. */
  readonly agents: Map<string, Pick<AgentState, 'score' | 'status' | 'updatedAt'>>
  /** Past scores in the order of time, each lower than all later ones: at most a hundred. */
  past: { readonly score: number; readonly at: number }[]
}

export function createLowScores(): LowScores {
  const owners = new Map<string, OwnerRecord>()

  function recordOf(ownerId: string): OwnerRecord {
    const known = owners.get(ownerId)
    if (known) {
      return known
    }
    const record: OwnerRecord = { agents: new Map(), past: [] }
    owners.set(ownerId, record)
    return record
  }

  function note({ agentId, ownerId, score, status, updatedAt }: AgentState): void {
    if (isLow(score)) {
      recordOf(ownerId).agents.set(agentId, { score, status, updatedAt })
    } else {
      owners.get(ownerId)?.agents.delete(agentId)
    }
  }

  return {
    note,
    noteMove(agentState, scoreBefore = 0) {
      if (isLow(Math.min(agentState.score, scoreBefore))) {
        note(agentState)
      }
    },
    noteSnapshot(ownerId, score, at) {
      if (isLow(score)) {
        const record = recordOf(ownerId)
        record.past = [...record.past.filter((one) => one.score < score), { score, at }]
      }
    },
    initialCeiling(ownerId, at) {
      const record = owners.get(ownerId)
      if (!record) {
        return undefined
      }
      const since = at - OWNER_MEMORY_MS
      record.past = record.past.filter((one) => one.at >= since)
      const kept = [...record.agents.values()].filter(
        ({ status, updatedAt }) => status !== 'deactivated' || updatedAt >= since,
      )
      const scores = [...kept, ...record.past].map(({ score }) => score)
      return scores.length === 0 ? undefined : Math.min(...scores)
    },
  }
}

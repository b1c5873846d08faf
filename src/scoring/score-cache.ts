import { presentScore } from '../api/scores/schema.ts'
import { MODEL } from '../domain/model.ts'
import { scoreAt } from '../domain/score.ts'
import { createCache } from '../lib/cache.ts'
import type { AgentState, Store } from '../store/store.ts'

/** A score as it is answered: its bytes and their tag stay the same until the score may differ. */
export interface AnsweredScore {
  readonly body: string
  readonly etag: string
}

/** The scores asked for lately, so that asking again costs no query. */
export interface ScoreCache {
  get(agentId: string): Promise<AnsweredScore | null>
  getMany(agentIds: readonly string[]): Promise<ReadonlyMap<string, AnsweredScore>>
  /** Forgets an agent whose standing has changed. */
  forget(agentId: string): void
  /** Forgets every agent. */
  clear(): void
}

/** At about 2 KB each this is 100 MB at the most; the oldest give way. */
const REMEMBERED_MAX = 50_000

/** Scores decay by whole days, so an answer is good for the day it was computed on. */
const DAY_MS = 86_400_000

interface Answered extends AnsweredScore {
  readonly day: number
}

export interface ScoreCacheOptions {
  readonly store: Store
  readonly now: () => number
  /** For how long a score that was looked up holds. */
  readonly freshMs: () => number
}

export function createScoreCache({ store, now, freshMs }: ScoreCacheOptions): ScoreCache {
  const memory = createCache<Answered>({
    async read(agentIds) {
      const agentStates = await store.scores.findMany(agentIds)
      return new Map([...agentStates].map(([agentId, agentState]) => [agentId, answer(agentState)]))
    },
    isFresh: ({ day }, ageMs) => ageMs < freshMs() && day === dayOf(now()),
    now,
    sizeMax: REMEMBERED_MAX,
  })

  function answer(agentState: AgentState): Answered {
    const at = Math.max(now(), agentState.updatedAt)
    const etag = tagOf(agentState, dayOf(at))
    const before = memory.peek(agentState.agentId)
    // What has not changed keeps its bytes, and so the time it was computed at.
    return before?.etag === etag ? before : { body: bodyOf(agentState, at), etag, day: dayOf(at) }
  }

  return {
    get: async (agentId) => (await memory.get(agentId)) ?? null,
    getMany: memory.getMany,
    forget: memory.invalidate,
    clear: memory.clear,
  }
}

function dayOf(time: number): number {
  return Math.floor(time / DAY_MS)
}

function bodyOf(agentState: AgentState, at: number): string {
  return JSON.stringify(presentScore(agentState, scoreAt(MODEL, agentState.evidence, at), at))
}

/** All that the answer is made of, beside the moment it was computed. */
function tagOf(
  { seq, snapshots, status, quarantinedCount: quarantined, updatedAt }: AgentState,
  day: number,
): string {
  return `W/"${[seq, snapshots, quarantined, status.charAt(0), updatedAt, day].join('-')}"`
}

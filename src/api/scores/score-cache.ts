import type { AgentFacts } from '../../domain/decision.ts'
import { MODEL, MODEL_VERSION } from '../../domain/model.ts'
import { type OwnVote, ownVotes } from '../../domain/own-vote.ts'
import { type Score, scoreAt } from '../../domain/score.ts'
import { dayOf, scoringTime } from '../../domain/time.ts'
import { type Awaitable, andThen } from '../../lib/awaitable.ts'
import { createCache } from '../../lib/cache.ts'
import type { AgentState, Store } from '../../store/store.ts'
import { presentScore } from './present.ts'

/** A score as a response body: its bytes and their tag stay the same until the score may differ. */
export interface CachedScore {
  readonly body: string
  readonly etag: string
  /** What a decision goes by. */
  readonly known: KnownAgent
}

export interface KnownAgent extends AgentFacts {
  readonly interval: Score['interval']
  /** Of the platforms that have complained. */
  readonly ownVotes: readonly OwnVote[]
  /** The number of the agent's last event. */
  readonly seq: number
  /** When a review last made earlier events count; null if none did. */
  readonly correctedAt: number | null
}

/** The scores read lately, so that reading them again costs no query. */
export interface ScoreCache {
  /** At once where the score is cached. */
  get(agentId: string): Awaitable<CachedScore | null>
  getMany(agentIds: readonly string[]): Promise<ReadonlyMap<string, CachedScore>>
  /** Drops an agent whose state has changed. */
  invalidate(agentId: string): void
  /** Drops every agent. */
  clear(): void
  /** How many scores are cached. */
  size(): number
}

/** At about 2 KB each this is at most 100 MB; the oldest entries are evicted. */
const ENTRIES_MAX = 50_000

interface Entry extends CachedScore {
  readonly day: number
}

export interface ScoreCacheOptions {
  readonly store: Store
  readonly now: () => number
  /** For how long a score may be served without reading it again. */
  readonly freshMs: () => number
}

export function createScoreCache({ store, now, freshMs }: ScoreCacheOptions): ScoreCache {
  const cache = createCache<Entry>({
    async read(agentIds) {
      const agentStates = await store.agentStates.findMany(agentIds)
      return new Map(
        [...agentStates].map(([agentId, agentState]) => [agentId, entryOf(agentState)]),
      )
    },
    isFresh: ({ day }, ageMs) => ageMs < freshMs() && day === dayOf(now()),
    now,
    sizeMax: ENTRIES_MAX,
    readsTogether: true,
  })

  function entryOf(agentState: AgentState): Entry {
    const at = scoringTime(agentState, now())
    const etag = tagOf(agentState, dayOf(at))
    const before = cache.peek(agentState.agentId)
    // A score that has not changed keeps its bytes, and so the time it was computed at.
    if (before?.etag === etag) {
      return before
    }
    const { body, known } = contentOf(agentState, at)
    // Without a spread: V8 (Node 20) gives each object in which fields follow one a shape of its own.
    return { body, known, etag, day: dayOf(at) }
  }

  return {
    get: (agentId) => andThen(cache.get(agentId), (entry) => entry ?? null),
    getMany: cache.getMany,
    invalidate: cache.invalidate,
    clear: cache.clear,
    size: cache.size,
  }
}

function contentOf(agentState: AgentState, at: number): Pick<CachedScore, 'body' | 'known'> {
  const value = scoreAt(MODEL, agentState.evidence, at)
  const { score, confidence, disputed, exposureLimit, interval } = value
  const { status, seq, correctedAt, evidence } = agentState
  const votes = ownVotes(MODEL, evidence, score)
  const facts = { status, score, confidence, disputed, exposureLimit, interval }
  return {
    body: JSON.stringify(presentScore(agentState, value, at)),
    known: { ...facts, ownVotes: votes, seq, correctedAt },
  }
}

/** The tag of a score with a class of work: another one for each class. */
export function classTagOf(agentState: AgentState, day: number, taskClass: string): string {
  const name = Buffer.from(taskClass).toString('base64url')
  return `${tagOf(agentState, day).slice(0, -1)}-${name}"`
}

/** Everything that the response is made of, except the moment it was computed. */
function tagOf(
  { seq, snapshots, status, quarantinedCount: quarantined, updatedAt }: AgentState,
  day: number,
): string {
  const parts = [seq, snapshots, quarantined, status.charAt(0), updatedAt, day, MODEL_VERSION]
  return `W/"${parts.join('-')}"`
}

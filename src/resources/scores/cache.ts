import { scoreAt } from '../../core/score.ts'
import type { Standing, Store } from '../../store/store.ts'
import { presentScore } from './schema.ts'

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
}

/** A score looked up this long ago is looked up again: another node may have moved it. */
const FRESH_MS = 1_000

/** At about 2 KB each this is 100 MB at the most; the oldest give way. */
const REMEMBERED_MAX = 50_000

/** Scores decay by whole days, so an answer is good for the day it was computed on. */
const DAY_MS = 86_400_000

interface Remembered extends AnsweredScore {
  readonly at: number
  readonly day: number
}

export function createScoreCache(store: Store, now: () => number): ScoreCache {
  const remembered = new Map<string, Remembered>()

  function recall(agentId: string): Remembered | null {
    const known = remembered.get(agentId)
    const age = known ? now() - known.at : -1
    return known && age >= 0 && age < FRESH_MS ? known : null
  }

  function answer(standing: Standing): Remembered {
    const at = Math.max(now(), standing.updatedAt)
    const day = Math.floor(at / DAY_MS)
    const etag = tagOf(standing, day)
    const before = remembered.get(standing.agentId)
    // What has not changed keeps its bytes, and so the time it was computed at.
    const next =
      before?.etag === etag
        ? { ...before, at: now() }
        : { body: bodyOf(standing, at), etag, at: now(), day }
    remembered.delete(standing.agentId)
    remembered.set(standing.agentId, next)
    if (remembered.size > REMEMBERED_MAX) forgetOldest(remembered)
    return next
  }

  return {
    async get(agentId) {
      const known = recall(agentId)
      if (known) return known
      const standing = await store.scores.find(agentId)
      return standing && answer(standing)
    },
    async getMany(agentIds) {
      const found = new Map<string, AnsweredScore>()
      for (const agentId of agentIds) {
        const known = recall(agentId)
        if (known) found.set(agentId, known)
      }
      const missing = agentIds.filter((agentId) => !found.has(agentId))
      if (missing.length === 0) return found
      for (const [agentId, standing] of await store.scores.findMany(missing))
        found.set(agentId, answer(standing))
      return found
    },
    forget: (agentId) => void remembered.delete(agentId),
  }
}

function bodyOf(standing: Standing, at: number): string {
  return JSON.stringify(presentScore(standing, scoreAt(standing.evidence, at), at))
}

/** All that the answer is made of, beside the moment it was computed. */
function tagOf({ seq, snapshots, status, quarantined, updatedAt }: Standing, day: number): string {
  return `W/"${[seq, snapshots, quarantined, status.charAt(0), updatedAt, day].join('-')}"`
}

function forgetOldest(remembered: Map<string, unknown>): void {
  for (const agentId of remembered.keys()) {
    remembered.delete(agentId)
    return
  }
}

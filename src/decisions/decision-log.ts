import { newIdLike } from '../domain/mode.ts'
import { inParts } from '../lib/parts.ts'
import type { Sources } from '../lib/sources.ts'
import { DECISIONS_MAX, type DecisionRow, type Store } from '../store/store.ts'

export type NewDecision = Omit<DecisionRow, 'id' | 'createdAt'>

/**
 * The latest decisions that platforms asked for, for people to look back. They are written behind the
 * answers: no decision waits for it or fails with it, and a crash loses those of the last second.
 */
export interface DecisionLog {
  add(decision: NewDecision): void
  /** Writes what was added until now. */
  flush(): Promise<void>
}

/** So long after its answer a decision is in the list, at the latest. */
export const DECISIONS_MS = 1_000

/** Of all platforms together, some megabytes. Further ones are dropped while the database cannot be reached. */
const WAITING_MAX = 20_000

/** Rows of one statement: some tens of milliseconds. */
const PART = 1_000

/** As long as an identifier may be in a request. The headers that a gate goes by may be longer. */
const IDENTIFIER_MAX = 500

export interface DecisionLogOptions extends Sources {
  readonly store: Store
  readonly onError: (error: unknown) => void
}

export function createDecisionLog({ store, now, newId, onError }: DecisionLogOptions): DecisionLog {
  let waiting = new Map<string, DecisionRow[]>()
  let count = 0
  let writing = Promise.resolve()

  function take(): readonly DecisionRow[] {
    const rows = [...waiting.values()].flatMap((own) => own.slice(-DECISIONS_MAX))
    waiting = new Map()
    count = 0
    return rows
  }

  async function write(): Promise<void> {
    const rows = take()
    try {
      for (const part of inParts(rows, PART)) {
        await store.decisions.insertAll(part)
      }
    } catch (error) {
      onError(error)
    }
  }

  return {
    add(decision) {
      if (count >= WAITING_MAX) {
        return
      }
      const { platformId, identifier } = decision
      const own = waiting.get(platformId) ?? []
      own.push({
        ...decision,
        identifier: identifier?.slice(0, IDENTIFIER_MAX) || null,
        id: newIdLike(platformId, newId),
        createdAt: now(),
      })
      waiting.set(platformId, own)
      count += 1
      // The store would remove them again at once.
      if (own.length === 2 * DECISIONS_MAX) {
        own.splice(0, DECISIONS_MAX)
        count -= DECISIONS_MAX
      }
    },
    flush() {
      writing = writing.then(write)
      return writing
    },
  }
}

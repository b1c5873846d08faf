import { MODEL_VERSION } from '../domain/model.ts'
import { eachAgent } from '../lib/each-agent.ts'
import { type Schedule, startInterval } from '../lib/interval.ts'
import type { Sources } from '../lib/sources.ts'
import { correctionTime, recomputeAfterReview } from '../scoring/recompute-after-review.ts'
import type { Store } from '../store/store.ts'

/** Carries out the releases that were too long for the request that decided them. */
export interface Releases {
  /** Ends what is in progress; this node or another one begins it again. */
  close(): Promise<void>
}

export interface ReleasesOptions extends Sources {
  readonly store: Store
  /** When to look for releases that wait. */
  readonly schedule: Schedule
  readonly onReleased: (released: Released) => void
  readonly onError: (error: unknown) => void
}

export interface Released {
  readonly agentId: string
  readonly events: number
}

export function startReleases(options: ReleasesOptions): Releases {
  const { store, schedule, onReleased, onError } = options
  const closing = new AbortController()

  /** Each agent that waits has its turn. */
  async function round(): Promise<void> {
    await eachAgent(store.agentStates.agentIds({ awaitingRelease: true }), carryOut, {
      isStopping: () => closing.signal.aborted,
      onFailed: failed,
    })
  }

  async function carryOut(agentId: string): Promise<void> {
    const events = await release(options, agentId, closing.signal)
    if (events > 0) {
      onReleased({ agentId, events })
    }
  }

  /** An agent whose releases fail is tried again in the next round, and delays no other. */
  function failed(error: unknown): void {
    if (!closing.signal.aborted) {
      onError(error)
    }
  }

  const interval = startInterval({ ...schedule, work: round, onError: failed })
  return {
    async close() {
      closing.abort()
      await interval.stop()
    },
  }
}

/**
 * Lets all of an agent's released events count that do not yet; how many. They are quarantined until the
 * transaction commits, so a failure leaves nothing half done.
 */
async function release(
  { store, now, newId }: ReleasesOptions,
  agentId: string,
  signal: AbortSignal,
): Promise<number> {
  return store.transaction(async (within) => {
    if (!(await within.agentStates.reserve(agentId, 'releases'))) {
      return 0
    }
    const released = await within.reviews.awaitingRelease(agentId)
    const read = await within.agentStates.find({ agentId })
    // What another model folded is migrated first.
    if (released.length === 0 || read?.modelVersion !== MODEL_VERSION) {
      return 0
    }
    const sources = { now, newId, signal }
    const recomputation = await recomputeAfterReview(within, sources, read, released)
    const locked = await within.agentStates.find({ agentId }, { lock: 'wait' })
    if (locked?.correctedAt !== read.correctedAt || locked.modelVersion !== MODEL_VERSION) {
      throw new Error(`agent ${agentId} was corrected while its log was folded`)
    }
    // Again under the lock: meanwhile an erasure may have removed texts of their reviews.
    const ids = new Set(released.map(({ id }) => id))
    const decided = await within.reviews.awaitingRelease(agentId)
    const counted = decided.filter(({ id }) => ids.has(id))
    await recomputation.finish(locked, counted, correctionTime(locked, now()))
    return counted.length
  })
}

import type { Context } from '../context.ts'
import { startInterval } from '../lib/interval.ts'
import { ChainError, refold } from './migrate-model.ts'

export interface Refolder {
  /** Finishes the agent it is at. */
  close(): Promise<void>
}

/** Who hears how it goes. */
export interface RefoldListener {
  done(agents: number): void
  /** Of one agent, which stays as it is stored, or of a whole round, which comes again. */
  failed(error: unknown, agentId?: string): void
}

/** In case a node of an older release, still there while this one took over, has folded something. */
const EVERY_MS = 60_000

const PART = 100

/**
 * Folds again, agent by agent, what another model folded: now, and whenever there is more. Where it is
 * stopped another round, or another node, goes on.
 */
export function startRefolder(context: Context, listener: RefoldListener): Refolder {
  const { store } = context
  /** What the log itself forbids need not be tried again. */
  const failed = new Set<string>()
  let closed = false

  async function round(): Promise<void> {
    let agents = 0
    let after: string | null = null
    while (!closed) {
      const part: readonly string[] = await store.scores.outdated(after, PART)
      for (const agentId of part) {
        if (!closed && (await one(agentId))) {
          agents += 1
        }
      }
      if (part.length < PART) {
        break
      }
      after = part.at(-1) ?? after
    }
    if (agents > 0) {
      listener.done(agents)
    }
  }

  /** One agent's log that cannot be folded must not keep the others from it. */
  async function one(agentId: string): Promise<boolean> {
    if (failed.has(agentId)) {
      return false
    }
    try {
      return await refold(context, agentId, { skipsLocked: true })
    } catch (error) {
      if (error instanceof ChainError) {
        failed.add(agentId)
      }
      listener.failed(error, agentId)
      return false
    }
  }

  const interval = startInterval({
    everyMs: EVERY_MS,
    work: round,
    onError: listener.failed,
    startsAtOnce: true,
  })
  return {
    async close() {
      closed = true
      await interval.stop()
    },
  }
}

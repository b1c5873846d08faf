import { MODEL_VERSION } from '../domain/model.ts'
import { type Interval, startInterval } from '../lib/interval.ts'
import type { Store } from '../store/store.ts'
import { type Checked, checkAgent, type Difference } from './check-agent.ts'

/** Computes one agent after the other from its log, while the service serves, and compares. */
export interface SelfCheck {
  /** Agents compared since the start. */
  checked(): number
  /** What was found, and is still so, by agent. */
  differences(): ReadonlyMap<string, Difference>
  /** Starts nothing more, and waits for the agent that is compared. */
  close(): Promise<void>
}

export interface SelfCheckOptions {
  readonly store: Pick<Store, 'agentStates' | 'snapshots' | 'events'>
  readonly onDifference: (difference: Difference) => void
  readonly onError: (error: unknown) => void
  /** The least time between two agents. */
  readonly everyMs?: number
}

/** An agent a second at most. */
const EVERY_MS = 1_000

/** After an agent it rests a millisecond for each of its events: a hundred times what one takes. */
const REST_MS = 1

/** Differences that are kept. With this many, the database as a whole is wrong. */
const DIFFERENCES_MAX = 1_000

export function startSelfCheck(options: SelfCheckOptions): SelfCheck {
  const { store, onDifference, onError, everyMs = EVERY_MS } = options
  const found = new Map<string, Difference>()
  const next = inTurn(store)
  let checked = 0
  let restsUntil = 0

  async function round(): Promise<void> {
    const agentId = performance.now() < restsUntil ? null : await next()
    const result = agentId === null ? null : await compare(store, agentId)
    if (agentId !== null && result) {
      note(agentId, result.difference)
      restsUntil = performance.now() + REST_MS * result.events
    }
  }

  function note(agentId: string, difference: Difference | null): void {
    checked++
    if (difference === null) {
      found.delete(agentId)
      return
    }
    if (!found.has(agentId)) {
      onDifference(difference)
    }
    if (found.size < DIFFERENCES_MAX) {
      found.set(agentId, difference)
    }
  }

  const interval: Interval = startInterval({ everyMs, work: round, onError })
  return {
    checked: () => checked,
    differences: () => found,
    close: () => interval.stop(),
  }
}

/** Every agent once, and then again from the first; null where there is none. */
function inTurn({ agentStates }: Pick<Store, 'agentStates'>): () => Promise<string | null> {
  let parts = agentStates.agentIds()[Symbol.asyncIterator]()
  let waiting: string[] = []
  return async () => {
    if (waiting.length === 0) {
      const part = await parts.next()
      waiting = part.done ? [] : [...part.value]
      if (part.done) {
        parts = agentStates.agentIds()[Symbol.asyncIterator]()
      }
    }
    return waiting.shift() ?? null
  }
}

/**
 * A difference counts when it shows twice: a review or a new model may have rewritten the agent in
 * between. What an earlier model folded is migrated, and not compared.
 */
async function compare(store: SelfCheckOptions['store'], agentId: string): Promise<Checked | null> {
  const agentState = await store.agentStates.find({ agentId })
  if (agentState?.modelVersion !== MODEL_VERSION) {
    return null
  }
  const checked = await checkAgent(store, agentId)
  return checked?.difference ? checkAgent(store, agentId) : checked
}

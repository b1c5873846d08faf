import type { RecordedEvent } from '../domain/agent.ts'
import { MODEL } from '../domain/model.ts'
import { linkOf } from '../ingest/fold.ts'
import type { Log, StoredChain } from '../ingest/replay.ts'
import type { AgentState, Store } from '../store/store.ts'

/**
 * An agent's log as the database has it. It is not verified: without the agent's lock a review may
 * rewrite the chain between two parts.
 */
export function eventLog(
  store: Store,
  { agentId, evidence: { registeredAt, initialCeiling } }: AgentState,
): Log<RecordedEvent> {
  return {
    model: MODEL,
    registration: { agentId, registeredAt, initialCeiling },
    parts: store.events.log(agentId),
    linkOf,
    counts: isCounted,
    stored: null,
  }
}

/** The log of an agent whose state was read under its lock, checked from the first to the last link. */
export function lockedEventLog(within: Store, agentState: AgentState): Log<RecordedEvent> {
  return {
    ...eventLog(within, agentState),
    stored: { ...STORED_CHAIN, end: agentState.chain },
  }
}

/** The same after a review: the events that it released count now, but were not chained. */
export function logAfterRelease(
  within: Store,
  agentState: AgentState,
  released: readonly RecordedEvent[],
): Log<RecordedEvent> {
  const ids = new Set(released.map(({ id }) => id))
  const counted = (event: RecordedEvent) => isCounted(event) && !ids.has(event.id)
  return {
    ...eventLog(within, agentState),
    stored: { ...STORED_CHAIN, counted, end: agentState.chain },
  }
}

/** Each link is stored with its event. */
export const STORED_CHAIN: StoredChain<RecordedEvent> = {
  counted: isCounted,
  linkOf: ({ chain }) => chain,
  end: null,
}

export function isCounted({ isQuarantined }: RecordedEvent): boolean {
  return !isQuarantined
}

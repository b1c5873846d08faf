import type { LoggedEvent } from '../domain/agent.ts'
import { MODEL } from '../domain/model.ts'
import { linkOf } from '../ingest/fold.ts'
import type { Log, LogStart, StoredChain } from '../ingest/replay.ts'
import type { AbortCheck } from '../lib/signal-after.ts'
import type { AgentState, Store } from '../store/store.ts'

/** Where a log is read from, and whether to go on. By default it is read from the first event on. */
export interface Reading {
  /** The state after an event: those behind it are read. */
  readonly from?: (LogStart & { readonly seq: number }) | null
  /** Throws when the request has ended. Called before each part. */
  readonly signal?: AbortCheck | undefined
}

/**
 * An agent's log as the database has it. It is not verified: without the agent's lock a review may
 * chain an event between two parts.
 */
export function eventLog(
  store: Pick<Store, 'events'>,
  { agentId, evidence: { registeredAt, initialCeiling } }: AgentState,
  { from = null, signal }: Reading = {},
): Log<LoggedEvent> {
  const parts = store.events.log(agentId, from?.seq)
  return {
    model: MODEL,
    registration: { agentId, registeredAt, initialCeiling },
    start: from,
    parts: signal ? whileWanted(parts, signal) : parts,
    linkOf,
    counts: isCounted,
    stored: null,
  }
}

async function* whileWanted<T>(parts: AsyncIterable<T>, signal: AbortCheck): AsyncIterable<T> {
  signal.throwIfAborted()
  for await (const part of parts) {
    yield part
    signal.throwIfAborted()
  }
}

/** The log of an agent whose state was read under its lock, checked from the first to the last link. */
export function lockedEventLog(within: Store, agentState: AgentState): Log<LoggedEvent> {
  return {
    ...eventLog(within, agentState),
    stored: { ...STORED_CHAIN, end: agentState.chain },
  }
}

/** Each link is stored with its event. */
export const STORED_CHAIN: StoredChain<LoggedEvent> = {
  counted: isCounted,
  hashOf: ({ chain }) => chain,
  end: null,
}

export function isCounted({ isQuarantined }: LoggedEvent): boolean {
  return !isQuarantined
}

/**
 * When an event began to count: when it was received or, if it was quarantined, when it was
 * released.
 */
export function countedSince({ createdAt, review }: LoggedEvent): number {
  return review?.counted?.since ?? createdAt
}

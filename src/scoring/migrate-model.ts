/**
 * Brings stored evidence up to the model in force: each agent's log is folded again, once, by whichever
 * node comes first. What an older model told stays in the history; a snapshot says where it ended.
 */

import type { Context } from '../context.ts'
import { revokeFallen } from '../credentials/revocation.ts'
import type { RecordedEvent } from '../domain/agent.ts'
import { MODEL, MODEL_VERSION } from '../domain/model.ts'
import { scoreNotifications } from '../domain/notification.ts'
import { scoreAt } from '../domain/score.ts'
import { isSame } from '../ingest/digest.ts'
import { foldEvent, initialState } from '../ingest/fold.ts'
import type { AgentState, Snapshot, Store } from '../store/store.ts'

type Means = Pick<Context, 'store' | 'now' | 'newId'>

/** The log is not the one that was chained when it was folded: nothing is made of it. */
export class ChainError extends Error {}

/**
 * Folds one agent's log again, if another model folded it. Its reports wait meanwhile. One that is
 * locked may be skipped: most likely another node is at it.
 */
export function refold(
  { store, now, newId }: Means,
  agentId: string,
  { skipsLocked = false } = {},
): Promise<boolean> {
  return store.transaction(async (within) => {
    const agentState = await (skipsLocked
      ? within.scores.lockIfFree(agentId)
      : within.scores.lock(agentId))
    if (!agentState || agentState.modelVersion === MODEL_VERSION) {
      return false
    }
    const { again, last } = await foldLog(within, agentState, newId)
    const at = Math.max(now(), agentState.updatedAt)
    const snapshots = agentState.snapshots + (last ? 1 : 0)
    await within.scores.save({ ...again, snapshots, updatedAt: at })
    if (last) {
      await tell(within, agentState, snapshotOf(again, last, snapshots, newId(), at))
    }
    return true
  })
}

interface Folded {
  readonly again: AgentState
  /** The last event that counted; null where none ever did. */
  readonly last: RecordedEvent | null
}

async function foldLog(store: Store, agentState: AgentState, newId: () => string): Promise<Folded> {
  let again = initialState(MODEL, agentState)
  let last: RecordedEvent | null = null
  let unchained = false
  for await (const part of store.events.log(agentState.agentId)) {
    const chained: RecordedEvent[] = []
    for (const event of part) {
      if (event.isQuarantined) {
        continue
      }
      again = foldEvent(MODEL, again, event, newId).agentState
      // Agents older than the chain get theirs now.
      if (!last) {
        unchained = event.chain === null
      }
      if (unchained) {
        chained.push({ ...event, chain: again.chain })
      } else if (!isSame(event.chain, again.chain)) {
        throw new ChainError(`event ${event.id} is not what was chained when it was folded`)
      }
      last = event
    }
    if (chained.length > 0) {
      await store.events.setChain(chained)
    }
  }
  if (last && !unchained && !isSame(agentState.chain, again.chain)) {
    throw new ChainError('the log does not end where its chain does')
  }
  return { again, last }
}

function snapshotOf(
  { agentId, evidence }: AgentState,
  last: RecordedEvent,
  number: number,
  id: string,
  createdAt: number,
): Snapshot {
  const { score, eventCount, breakdown, modelVersion } = scoreAt(MODEL, evidence, last.createdAt)
  return {
    id,
    agentId,
    number,
    seq: last.seq,
    score,
    eventCount,
    breakdown,
    trigger: { kind: 'model', id: last.id, type: last.type },
    modelVersion,
    createdAt,
    correctedAt: null,
  }
}

async function tell(store: Store, agentState: AgentState, snapshot: Snapshot): Promise<void> {
  const { agentId, ownerId, score: previousScore, credentialFloor } = agentState
  const { number, score: newScore, trigger: triggeredBy, createdAt } = snapshot
  await store.scores.replaceSnapshots(agentId, number - 1, [snapshot])
  if (newScore < credentialFloor) {
    await revokeFallen(store, agentId, newScore, createdAt)
  }
  const moved = { agentId, ownerId, previousScore, newScore, triggeredBy, createdAt }
  await store.notifications.insert(scoreNotifications(moved))
}

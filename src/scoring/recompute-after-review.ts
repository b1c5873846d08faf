import type { Sources } from '../context.ts'
import { revokeFallen } from '../credentials/revocation.ts'
import type { RecordedEvent } from '../domain/agent.ts'
import { MODEL } from '../domain/model.ts'
import { scoreNotifications } from '../domain/notification.ts'
import { isSame } from '../ingest/digest.ts'
import { foldEvent, initialState } from '../ingest/fold.ts'
import type { AgentState, Snapshot, Store } from '../store/store.ts'

/**
 * Folds the agent's whole log again, now that more of its events count, and corrects every snapshot
 * since the first of them, and the chain, a part at a time. The evidence is what it would have been,
 * had they never been held.
 */
export async function rescore(
  store: Store,
  { newId }: Sources,
  agentState: AgentState,
  released: readonly RecordedEvent[],
  now: number,
): Promise<void> {
  const [first] = released
  if (!first) {
    return
  }
  const since = Math.min(...released.map(({ seq }) => seq))
  const { agentId, ownerId, score: previousScore } = agentState
  // What was told before may be an older model's, and so of another number than the log gives now.
  let snapshots = (await store.scores.snapshotBefore(agentId, since))?.number ?? 0
  await store.scores.replaceSnapshots(agentId, snapshots, [])
  let again = initialState(MODEL, agentState)
  for await (const part of store.events.log(agentId)) {
    const { agentState: next, snapshots: told, chained } = foldAgain(again, part, newId)
    again = next
    const corrected = told
      .filter(({ seq }) => seq >= since)
      .map((one) => ({ ...one, number: ++snapshots, correctedAt: now }))
    await store.scores.addSnapshots(corrected)
    if (chained.length > 0) {
      await store.events.setChain(chained)
    }
  }
  const quarantined = agentState.quarantinedCount - released.length
  await store.scores.save({ ...again, snapshots, quarantinedCount: quarantined, updatedAt: now })
  const triggeredBy = { kind: 'review', id: first.id, type: first.type } as const
  const newScore = again.score
  if (newScore < agentState.credentialFloor) {
    await revokeFallen(store, agentId, newScore, now)
  }
  await store.notifications.insert(
    scoreNotifications({ agentId, ownerId, previousScore, newScore, triggeredBy, createdAt: now }),
  )
}

export interface FoldedAgain {
  readonly agentState: AgentState
  readonly snapshots: readonly Snapshot[]
  /** The events whose place in the chain is another than before. */
  readonly chained: readonly RecordedEvent[]
}

/** Folds a part of a log, of which only what counts by now. */
export function foldAgain(
  agentState: AgentState,
  part: readonly RecordedEvent[],
  newId: () => string,
): FoldedAgain {
  let again = agentState
  const snapshots: Snapshot[] = []
  const chained: RecordedEvent[] = []
  for (const event of part) {
    if (event.isQuarantined) {
      continue
    }
    const folded = foldEvent(MODEL, again, event, newId)
    again = folded.agentState
    if (folded.snapshot) {
      snapshots.push(folded.snapshot)
    }
    if (!isSame(event.chain, again.chain)) {
      chained.push({ ...event, chain: again.chain })
    }
  }
  return { agentState: again, snapshots, chained }
}

/** What the agent's standing would be if all that still awaits a decision counted as well. */
export async function scoreWithQuarantined(
  store: Store,
  { newId }: Sources,
  agentState: AgentState,
): Promise<{ readonly agentState: AgentState; readonly held: number }> {
  let again = initialState(MODEL, agentState)
  let held = 0
  for await (const part of store.events.log(agentState.agentId)) {
    for (const event of part) {
      const isOpen = event.review?.status === 'pending' || event.review?.status === 'appealed'
      if (event.isQuarantined && !isOpen) {
        continue
      }
      if (event.isQuarantined) {
        held += 1
      }
      again = foldEvent(MODEL, again, event, newId).agentState
    }
  }
  return { agentState: again, held }
}

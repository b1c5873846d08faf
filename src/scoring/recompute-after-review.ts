import { revokeFallen } from '../credentials/revocation.ts'
import type { RecordedEvent } from '../domain/agent.ts'
import { scoreNotifications } from '../domain/notification.ts'
import { isSame } from '../ingest/digest.ts'
import { type Replayed, replay, WHOLE_LOG } from '../ingest/replay.ts'
import { scoreAtEnd, scoreHistory } from '../ingest/score-history.ts'
import type { Sources } from '../lib/sources.ts'
import type { AgentState, Snapshot, Store } from '../store/store.ts'
import { logAfterRelease } from './event-log.ts'

/**
 * Folds the whole log of a locked agent again, now that more of its events count, and corrects the
 * chain and every snapshot from the first of them on. The evidence is what it would be had they never
 * been quarantined.
 */
export async function recomputeAfterReview(
  within: Store,
  { newId }: Sources,
  agentState: AgentState,
  released: readonly RecordedEvent[],
  now: number,
): Promise<void> {
  const [first] = released
  if (!first) {
    return
  }
  const { agentId, ownerId, score: previousScore, isDisputed: wasDisputed } = agentState
  const log = logAfterRelease(within, agentState, released)
  const since = Math.min(...released.map(({ seq }) => seq))
  const corrected = await correctLog(within, log, { since, now, newId })
  const { score: newScore, disputed, exposureLimit } = scoreAtEnd(log, corrected)
  const { evidence, chain, snapshots } = corrected
  const quarantinedCount = agentState.quarantinedCount - released.length
  const { isDisputed } = disputed
  const published = { score: newScore, isDisputed, snapshots }
  const next = { ...agentState, ...published, evidence, chain, quarantinedCount }
  await within.scores.save({ ...next, updatedAt: now })
  if (newScore < agentState.credentialFloor) {
    await revokeFallen(within, agentId, newScore, now)
  }
  const triggeredBy = { kind: 'review', id: first.id, type: first.type } as const
  await within.notifications.insert(
    scoreNotifications({
      agentId,
      ownerId,
      previousScore,
      newScore,
      wasDisputed,
      disputed,
      exposureLimit,
      triggeredBy,
      createdAt: now,
    }),
  )
}

/** Corrections that are written at once: some hundred kilobytes. */
const WRITTEN_MAX = 1_000

interface Correction {
  /** The number of the first event that counts since the review. */
  readonly since: number
  readonly now: number
  readonly newId: () => string
}

/** Writes the snapshots since the first event, and the links that have changed. */
async function correctLog(
  within: Store,
  log: ReturnType<typeof logAfterRelease>,
  { since, now, newId }: Correction,
): Promise<Replayed<RecordedEvent> & { readonly snapshots: number }> {
  const { agentId } = log.registration
  // Another model may have written more or fewer snapshots than the replay: the numbering
  // continues.
  const earlier = { before: null, beforeSeq: since, limit: 1 }
  let number = (await within.scores.history(agentId, earlier)).rows[0]?.number ?? 0
  await within.scores.replaceSnapshots(agentId, number, [])
  const snapshots: Snapshot[] = []
  const relinked: RecordedEvent[] = []
  const write = async () => {
    const written = number - snapshots.length
    await within.scores.replaceSnapshots(agentId, written, snapshots.splice(0))
    await within.events.setChain(relinked.splice(0))
  }
  const snapshotAfter = scoreHistory(log, newId)
  const replayed = await replay(log, WHOLE_LOG, (step) => {
    const { entry, counts, chain } = step
    const snapshot = snapshotAfter(step)
    if (snapshot && entry.seq >= since) {
      number += 1
      snapshots.push({ ...snapshot, number, correctedAt: now })
    }
    if (counts && !isSame(entry.chain, chain)) {
      relinked.push({ ...entry, chain })
    }
    return relinked.length < WRITTEN_MAX ? undefined : write()
  })
  await write()
  return { ...replayed, snapshots: number }
}

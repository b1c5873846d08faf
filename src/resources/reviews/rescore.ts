import { scoreNotices } from '../../core/notices.ts'
import type { RecordedEvent } from '../../core/record.ts'
import type { Snapshot, Standing, Store } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { revokeFallen } from '../credentials/revocation.ts'
import { foldEvent, unheard } from '../events/fold.ts'
import { isSame } from '../proofs/chain.ts'

/**
 * Folds the agent's whole log again, now that more of its events count, and corrects every snapshot
 * since the first of them, and the chain, a part at a time. The evidence is what it would have been,
 * had they never been held.
 */
export async function rescore(
  store: Store,
  { newId }: Context,
  standing: Standing,
  released: readonly RecordedEvent[],
  now: number,
): Promise<void> {
  const [first] = released
  if (!first) return
  const since = Math.min(...released.map(({ seq }) => seq))
  const { agentId, ownerId, score: previousScore } = standing
  // What was told before may be an older model's, and so of another number than the log gives now.
  let snapshots = (await store.scores.snapshotBefore(agentId, since))?.number ?? 0
  await store.scores.replaceSnapshots(agentId, snapshots, [])
  let again = unheard(standing)
  for await (const part of store.events.log(agentId)) {
    const { standing: next, snapshots: told, chained } = foldAgain(again, part, newId)
    again = next
    const corrected = told
      .filter(({ seq }) => seq >= since)
      .map((one) => ({ ...one, number: ++snapshots, correctedAt: now }))
    await store.scores.addSnapshots(corrected)
    if (chained.length > 0) await store.events.setChain(chained)
  }
  const quarantined = standing.quarantined - released.length
  await store.scores.save({ ...again, snapshots, quarantined, updatedAt: now })
  const triggeredBy = { kind: 'review', id: first.id, type: first.type } as const
  const newScore = again.score
  if (newScore < standing.promised) await revokeFallen(store, agentId, newScore, now)
  await store.notices.insert(
    scoreNotices({ agentId, ownerId, previousScore, newScore, triggeredBy, createdAt: now }),
  )
}

export interface FoldedAgain {
  readonly standing: Standing
  readonly snapshots: readonly Snapshot[]
  /** The events whose place in the chain is another than before. */
  readonly chained: readonly RecordedEvent[]
}

/** Folds a part of a log, of which only what counts by now. */
export function foldAgain(
  standing: Standing,
  part: readonly RecordedEvent[],
  newId: () => string,
): FoldedAgain {
  let again = standing
  const snapshots: Snapshot[] = []
  const chained: RecordedEvent[] = []
  for (const event of part) {
    if (event.isQuarantined) continue
    const folded = foldEvent(again, event, newId)
    again = folded.standing
    if (folded.snapshot) snapshots.push(folded.snapshot)
    if (!isSame(event.chain, again.chain)) chained.push({ ...event, chain: again.chain })
  }
  return { standing: again, snapshots, chained }
}

/** What the agent's standing would be if all that still awaits a decision counted as well. */
export async function withHeld(
  store: Store,
  { newId }: Context,
  standing: Standing,
): Promise<{ readonly standing: Standing; readonly held: number }> {
  let again = unheard(standing)
  let held = 0
  for await (const part of store.events.log(standing.agentId)) {
    for (const event of part) {
      const isOpen = event.review?.status === 'pending' || event.review?.status === 'appealed'
      if (event.isQuarantined && !isOpen) continue
      if (event.isQuarantined) held += 1
      again = foldEvent(again, event, newId).standing
    }
  }
  return { standing: again, held }
}

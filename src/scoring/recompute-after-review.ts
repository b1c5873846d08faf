import { revokeFallen } from '../credentials/revocation.ts'
import type { LoggedEvent, RecordedEvent } from '../domain/agent.ts'
import { MODEL } from '../domain/model.ts'
import { scoreNotifications } from '../domain/notification.ts'
import { scoreAt } from '../domain/score.ts'
import { replay, WHOLE_LOG } from '../ingest/replay.ts'
import type { Sources } from '../lib/sources.ts'
import type { AgentState, Store } from '../store/store.ts'
import { correctLog } from './correct-log.ts'
import { eventLog, isCounted, type Reading, STORED_CHAIN } from './event-log.ts'

/**
 * The log of an agent since the first event that a review released, folded again: the evidence is what it
 * would be had they never been quarantined. Most of it is folded, and written, while the agent goes on
 * receiving reports; `finish` folds the latest events under the agent's lock.
 */
export interface Recomputation {
  /** Takes the agent's locked state, and the time from which the released events count. */
  finish(locked: AgentState, at: number): Promise<void>
}

type Start = NonNullable<Reading['from']>

/** Folds up to the state that was read, without a lock but for other reviews of the agent. */
export async function recomputeAfterReview(
  within: Store,
  { now, newId }: Sources,
  agentState: AgentState,
  released: readonly RecordedEvent[],
): Promise<Recomputation> {
  const { agentId } = agentState
  const ids = new Set(released.map(({ id }) => id))
  const since = Math.min(...released.map(({ seq }) => seq))
  const logFrom = (read: AgentState, from: Start | null, end: Uint8Array | null) => ({
    ...eventLog(within, read, { from }),
    counts: (event: LoggedEvent) => isCounted(event) || ids.has(event.id),
    stored: { ...STORED_CHAIN, end },
  })
  const from = await within.checkpoints.last(agentId, { seq: since - 1 })
  const log = logFrom(agentState, from, null)
  const correction = await correctLog(within, log, { read: agentState, from, since, now, newId })
  const folded = await replay(log, { seq: agentState.seq }, correction.correct)
  await correction.write()
  return {
    async finish(locked, at) {
      const rest = logFrom(locked, { seq: agentState.seq, ...folded }, locked.chain)
      const { evidence, chain } = await replay(rest, WHOLE_LOG, correction.correct)
      const snapshots = await correction.end(at)
      const { score, disputed } = scoreAt(MODEL, evidence, evidence.at)
      const published = { score, isDisputed: disputed.isDisputed, snapshots }
      const quarantinedCount = locked.quarantinedCount - released.length
      const corrected = { evidence, chain, quarantinedCount, correctedAt: at }
      const next = { ...locked, ...published, ...corrected, updatedAt: at }
      await within.scores.save(next)
      await publish(within, locked, next, released)
    },
  }
}

async function publish(
  within: Store,
  before: AgentState,
  after: AgentState,
  [first]: readonly RecordedEvent[],
): Promise<void> {
  const { agentId, ownerId, score: previousScore, isDisputed: wasDisputed } = before
  const { score: newScore, updatedAt: createdAt } = after
  if (newScore < before.credentialFloor) {
    await revokeFallen(within, agentId, newScore, createdAt)
  }
  if (!first) {
    return
  }
  const { disputed, exposureLimit } = scoreAt(MODEL, after.evidence, after.evidence.at)
  const triggeredBy = { kind: 'review', id: first.id, type: first.type } as const
  const scores = { previousScore, newScore, wasDisputed, disputed, exposureLimit }
  const move = { agentId, ownerId, ...scores, triggeredBy, createdAt }
  await within.notifications.insert(scoreNotifications(move))
}

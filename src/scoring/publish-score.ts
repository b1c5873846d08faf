import { revokeFallen } from '../credentials/revocation.ts'
import { type ScoreMove, scoreNotifications } from '../domain/notification.ts'
import type { Score } from '../domain/score.ts'
import { isLow } from '../ingest/fold.ts'
import type { AgentState, Store } from '../store/store.ts'

type NewScore = Pick<Score, 'score' | 'disputed' | 'exposureLimit'>

/** What an agent's state keeps of a score that came about without an event. `snapshots` is how many there are now. */
export function publishedState(
  { wasLow }: Pick<AgentState, 'wasLow'>,
  { score, disputed: { isDisputed } }: NewScore,
  snapshots: number,
): Pick<AgentState, 'score' | 'isDisputed' | 'wasLow' | 'snapshots'> {
  return { score, isDisputed, wasLow: wasLow || isLow(score), snapshots }
}

/** Revokes the credentials that claim more than the new score, and notifies subscribers of it. */
export async function publishScore(
  within: Store,
  before: AgentState,
  { score: newScore, disputed, exposureLimit }: NewScore,
  cause: Pick<ScoreMove, 'triggeredBy' | 'createdAt'>,
): Promise<void> {
  const { agentId, ownerId, score: previousScore, isDisputed: wasDisputed } = before
  if (newScore < before.credentialFloor) {
    await revokeFallen(within, agentId, newScore, cause.createdAt)
  }
  const scores = { previousScore, newScore, wasDisputed, disputed, exposureLimit }
  const move = { agentId, ownerId, ...scores, ...cause }
  await within.notifications.insertAll(scoreNotifications(move))
}

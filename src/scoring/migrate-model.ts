/**
 * Migrates stored evidence to the current model: each agent's log is folded again, once, by the
 * first node that gets to it. Scores that an older model published stay in the history; a snapshot
 * marks where it ended.
 */
import { MODEL_VERSION } from '../domain/model.ts'
import { scoringTime } from '../domain/time.ts'
import { newSnapshot } from '../ingest/fold.ts'
import { replay, WHOLE_LOG } from '../ingest/replay.ts'
import { scoreAtEnd } from '../ingest/score-history.ts'
import type { Sources } from '../lib/sources.ts'
import type { Store } from '../store/store.ts'
import { lockedEventLog } from './event-log.ts'
import { publishedState, publishScore } from './publish-score.ts'

export interface Migration extends Sources {
  readonly store: Store
}

/**
 * Folds one agent's log again if another model folded it; returns true if it did. Reports about the
 * agent wait meanwhile. A locked agent may be skipped: most likely another node migrates it.
 */
export function migrateAgent(
  { store, now, newId }: Migration,
  agentId: string,
  { skipsLocked = false } = {},
): Promise<boolean> {
  return store.transaction(async (within) => {
    const { agentStates } = within
    const agentState = await agentStates.find({ agentId }, { lock: skipsLocked ? 'skip' : 'wait' })
    if (!agentState || agentState.modelVersion === MODEL_VERSION) {
      return false
    }
    const log = lockedEventLog(within, agentState)
    const replayed = await replay(log, WHOLE_LOG)
    const { evidence, last } = replayed
    const score = scoreAtEnd(log, replayed)
    const createdAt = scoringTime(agentState, now())
    const number = agentState.snapshots + (last ? 1 : 0)
    const published = publishedState(agentState, score, number)
    await agentStates.save({ ...agentState, ...published, evidence, updatedAt: createdAt })
    await within.checkpoints.replaceFrom(agentId, 0, [])
    if (last) {
      const { id, seq, type } = last
      const trigger = { kind: 'model', id, type } as const
      const of = { id: newId(), agentId, number, seq, trigger, createdAt }
      await within.snapshots.replaceFrom(agentId, number, [newSnapshot(score, of)])
      await publishScore(within, agentState, score, { triggeredBy: trigger, createdAt })
    }
    return true
  })
}

import type { LoggedEvent } from '../domain/agent.ts'
import type { Log, Step } from '../ingest/replay.ts'
import { scoreHistory } from '../ingest/score-history.ts'
import {
  type AgentState,
  CHECKPOINT_EVENTS,
  type Checkpoint,
  type Snapshot,
  type Store,
} from '../store/store.ts'

/** Corrects what follows from a log while it is folded again. */
export interface LogCorrection {
  correct(step: Step<LoggedEvent>): Promise<void> | undefined
  /** Writes what may be written without the agent's lock. */
  write(): Promise<void>
  /** Writes the rest under the lock. How many snapshots the agent has now. */
  end(at: number): Promise<number>
}

export interface CorrectionOptions {
  /** The state when the correction began, and the checkpoint that it begins at. */
  readonly read: AgentState
  readonly from: Checkpoint | null
  /** The number of the first event that counts since the review. */
  readonly since: number
  readonly now: () => number
  readonly newId: () => string
}

/** Snapshots that are written at once: some hundred kilobytes. */
const WRITTEN_MAX = 1_000

/** Corrects the snapshots and checkpoints since the first event. */
export async function correctLog(
  within: Store,
  log: Log<LoggedEvent>,
  { read, from, since, now, newId }: CorrectionOptions,
): Promise<LogCorrection> {
  const { agentId } = read
  const correctedAt = now()
  // Another model may have written more or fewer snapshots than the replay: the numbering
  // continues.
  const kept = await within.snapshots.lastBefore(agentId, since)
  await within.snapshots.replaceFrom(agentId, kept + 1, [])
  const snapshotAfter = scoreHistory(log, newId)
  const checkpoints: Omit<Checkpoint, 'correctedAt'>[] = []
  let snapshots: Snapshot[] = []
  let number = kept
  let written = kept
  let quarantinedCount = from?.quarantinedCount ?? 0

  /**
   * Without the agent's lock: the snapshots of these numbers are deleted already, and to delete again what
   * comes behind them would pass all that were. Reports that come in meanwhile have snapshots of higher
   * numbers, which are replaced at the end.
   */
  async function write(): Promise<void> {
    const due = snapshots.filter((snapshot) => snapshot.number <= read.snapshots)
    snapshots = snapshots.slice(due.length)
    await within.snapshots.insertAll(due)
    written += due.length
  }

  return {
    correct(step) {
      const { entry, counts, evidence } = step
      quarantinedCount += counts ? 0 : 1
      const snapshot = snapshotAfter(step)
      if (snapshot && entry.seq >= since) {
        number += 1
        snapshots.push({ ...snapshot, number, correctedAt })
      }
      if (entry.seq >= since && entry.seq % CHECKPOINT_EVENTS === 0) {
        const { seq, createdAt } = entry
        checkpoints.push({ agentId, seq, at: createdAt, evidence, quarantinedCount })
      }
      return snapshots.length < WRITTEN_MAX || number > read.snapshots ? undefined : write()
    },
    write,
    async end(at) {
      await within.snapshots.replaceFrom(agentId, written + 1, snapshots)
      const corrected = checkpoints.map((checkpoint) => ({ ...checkpoint, correctedAt: at }))
      await within.checkpoints.replaceFrom(agentId, since, corrected)
      return number
    },
  }
}

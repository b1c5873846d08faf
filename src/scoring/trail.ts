import type { LoggedEvent } from '../domain/agent.ts'
import type { Attribution, Strongest } from '../domain/attribution.ts'
import type { Step } from '../ingest/replay.ts'
import type { AgentState, AttributedCheckpoint, Checkpoint, Store } from '../store/store.ts'
import { countedSince } from './event-log.ts'

/** Follows a replay, counts what a checkpoint holds, and leaves those that are missing. */
export interface Trail {
  readonly quarantinedCount: number
  readonly correctedAt: number | null
  pass(step: Step<LoggedEvent>): Promise<void> | undefined
  /** Adds what is left. Its failure fails no reader. */
  end(): Promise<void>
}

export interface TrailOptions {
  /** The state before any event was passed: what the log was read by. */
  readonly read: AgentState
  readonly from: Checkpoint | null
  /** Where checkpoints wait for an attribution. */
  readonly numbers?: readonly number[]
  /** Adds to a checkpoint the attribution of the score so far. */
  readonly attribute?: () => { readonly attribution: Attribution; readonly strongest: Strongest }
}

/**
 * So many events without a checkpoint are a gap, as in a log that is older than the checkpoints: the first
 * reader fills it.
 */
const GAP_EVENTS = 1_024

/** Added at once, so that the work of a reader who gives up is not lost. */
const ADDED_MAX = 16

export function followTrail(
  store: Store,
  { read, from, numbers = [], attribute }: TrailOptions,
): Trail {
  const { agentId } = read
  const waiting = new Set(numbers)
  let quarantinedCount = from?.quarantinedCount ?? 0
  let correctedAt = from?.correctedAt ?? null
  let passed = 0
  let isUnchanged = true
  let missing: (Checkpoint | AttributedCheckpoint)[] = []

  async function add(): Promise<void> {
    const added = missing
    missing = []
    // Behind one that could not be added none may follow: its attribution would begin in the middle.
    isUnchanged = isUnchanged && (await store.checkpoints.add(read, added).catch(() => false))
  }

  return {
    get quarantinedCount() {
      return quarantinedCount
    },
    get correctedAt() {
      return correctedAt
    },
    pass({ entry, counts, evidence }) {
      if (!counts) {
        quarantinedCount += 1
      } else if (entry.review?.counted) {
        correctedAt = Math.max(countedSince(entry), correctedAt ?? 0)
      }
      passed += 1
      if (passed < GAP_EVENTS && !waiting.has(entry.seq)) {
        return undefined
      }
      passed = 0
      const counted = { evidence, quarantinedCount, correctedAt }
      missing.push({ agentId, seq: entry.seq, at: entry.createdAt, ...counted, ...attribute?.() })
      return missing.length < ADDED_MAX ? undefined : add()
    },
    async end() {
      if (missing.length > 0) {
        await add()
      }
    },
  }
}

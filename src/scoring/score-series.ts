import { MODEL } from '../domain/model.ts'
import { type Score, scoreAt } from '../domain/score.ts'
import { evidenceAtStart, replay } from '../ingest/replay.ts'
import type { AgentState, Checkpoint, Store } from '../store/store.ts'
import { eventLog, type Reading } from './event-log.ts'

export interface SeriesPoint {
  readonly at: number
  readonly score: Score
}

/**
 * The score at each of some times in ascending order, as later reviews have left it. Folds the log once, or,
 * where a checkpoint lies between two times, from that checkpoint on: a bounded number of events for each.
 */
export async function scoreSeries(
  store: Store,
  agentState: AgentState,
  times: readonly number[],
  { signal }: Pick<Reading, 'signal'> = {},
): Promise<readonly SeriesPoint[]> {
  const points: SeriesPoint[] = []
  for (const { from, times: part } of await partsOf(store, agentState, times)) {
    const log = eventLog(store, agentState, { from, signal })
    let evidence = evidenceAtStart(log)
    let next = 0
    const scoreUntil = (end: number) => {
      for (let at = part[next]; at !== undefined && at < end; at = part[next]) {
        points.push({ at, score: scoreAt(MODEL, evidence, at) })
        next += 1
      }
    }
    await replay(log, { at: part.at(-1) ?? 0 }, (step) => {
      scoreUntil(step.link.at)
      evidence = step.evidence
      return undefined
    })
    scoreUntil(Number.POSITIVE_INFINITY)
  }
  return points
}

interface Part {
  readonly from: Checkpoint | null
  readonly times: number[]
}

/** The times, by the checkpoint before them. */
async function partsOf(
  store: Store,
  { agentId }: AgentState,
  times: readonly number[],
): Promise<readonly Part[]> {
  const lastBefore = (at: number) => store.checkpoints.last(agentId, { at })
  const latest = await lastBefore(times.at(-1) ?? 0)
  const parts: Part[] = []
  for (const at of times) {
    const from = latest === null || latest.at <= at ? latest : await lastBefore(at)
    const part = parts.at(-1)
    if (part && part.from?.seq === from?.seq) {
      part.times.push(at)
    } else {
      parts.push({ from, times: [at] })
    }
  }
  return parts
}

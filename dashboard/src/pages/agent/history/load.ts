import { getSeries, listSnapshots } from '../../../api/scores.ts'
import type { SeriesPoint, Snapshot } from '../../../api/types.ts'

/** A span of time in milliseconds since the epoch. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

export interface HistoryPoint {
  readonly at: number
  readonly score: number
  /** Null at a change: it lies between those of the points around it. */
  readonly interval: SeriesPoint['interval'] | null
  /** What changed the score then; null where the score was only looked at. */
  readonly snapshot: Snapshot | null
}

export interface HistoryRead {
  /** Oldest first. */
  readonly points: readonly HistoryPoint[]
  /** More happened in the span than was read. */
  readonly isSampled: boolean
}

/** Changes that are marked in the chart, the latest of the span. */
const CHANGES = 100

/** One for every eight pixels of a laptop's screen: the band is as smooth as the line. */
const POINTS = 120

/**
 * The score over a span: at evenly spaced times with its interval, and the latest hundred changes as they
 * were. A narrower span is read in full. Costs two lookups.
 */
export async function readHistory(
  id: string,
  { from, to }: TimeSpan,
  signal: AbortSignal,
): Promise<HistoryRead> {
  // The service's clock may be behind: it knows itself what now is.
  const span = { from: iso(from), ...(to > Date.now() ? {} : { to: iso(to) }) }
  const [series, changes] = await Promise.all([
    getSeries(id, { ...span, points: POINTS }, signal),
    listSnapshots(id, { ...span, limit: CHANGES }, signal),
  ])
  const points = [
    ...series.map((point) => ({ ...point, at: Date.parse(point.at), snapshot: null })),
    ...changes.data.map(pointOf),
  ].sort((a, b) => a.at - b.at)
  return { points, isSampled: changes.nextCursor !== null }
}

function pointOf(snapshot: Snapshot): HistoryPoint {
  const { createdAt, score } = snapshot
  return { at: Date.parse(createdAt), score, interval: null, snapshot }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

import { getScoreAt, listSnapshots } from '../../../api/scores.ts'
import type { Snapshot } from '../../../api/types.ts'

/** A span of time in milliseconds since the epoch. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

export interface HistoryPoint {
  readonly at: number
  readonly score: number
  /** What changed the score then; null where the score was only looked at. */
  readonly snapshot: Snapshot | null
}

export interface HistoryRead {
  /** Oldest first. */
  readonly points: readonly HistoryPoint[]
  /** More happened in the span than was read. */
  readonly isSampled: boolean
}

export interface Band {
  readonly at: number
  readonly score: number
  readonly low: number
  readonly high: number
}

const PAGE = 100

/** Points read of a part that is too busy to be read whole; each costs a lookup. */
export const SAMPLES = 16

/** Requests at the same time: the browser allows six to one host. */
const PARALLEL = 4

/**
 * The score over a span: the latest hundred changes as they were, and where there were more, the
 * score at evenly spaced times before them. A narrower span is read in full.
 */
export async function readHistory(
  id: string,
  span: TimeSpan,
  signal: AbortSignal,
): Promise<HistoryRead> {
  const [from, to] = [iso(span.from), iso(span.to)]
  const page = await listSnapshots(id, { from, to, limit: PAGE }, signal)
  const latest = page.data.map(pointOf).reverse()
  const before = await lastBefore(id, span.from, signal)
  const start = before ? [{ ...before, at: span.from }] : []
  const first = latest[0]
  if (page.nextCursor === null || !first) {
    return { points: [...start, ...latest], isSampled: false }
  }
  const times = spread({ from: span.from, to: first.at }, SAMPLES)
  const sampled = await inParallel(times, async (at) => {
    const found = await lastBefore(id, at, signal)
    return found && { ...found, at }
  })
  const known = sampled.filter((point) => point !== null)
  return { points: [...start, ...known, ...latest], isSampled: true }
}

/** The interval at evenly spaced times, which snapshots do not have. */
export async function readBand(
  id: string,
  span: TimeSpan,
  signal: AbortSignal,
): Promise<readonly Band[]> {
  return inParallel(spread(span, SAMPLES), async (at) => {
    const { score, interval } = await getScoreAt(id, iso(at), signal)
    return { at, score, ...interval }
  })
}

async function lastBefore(
  id: string,
  at: number,
  signal: AbortSignal,
): Promise<HistoryPoint | null> {
  const { data } = await listSnapshots(id, { to: iso(at), limit: 1 }, signal)
  const [snapshot] = data
  return snapshot ? { at, score: snapshot.score, snapshot: null } : null
}

function pointOf(snapshot: Snapshot): HistoryPoint {
  return { at: Date.parse(snapshot.createdAt), score: snapshot.score, snapshot }
}

/** Evenly spaced times inside a span, its ends left out. */
function spread({ from, to }: TimeSpan, count: number): readonly number[] {
  const step = (to - from) / (count + 1)
  return Array.from({ length: count }, (_, i) => Math.round(from + (i + 1) * step))
}

async function inParallel<A, B>(items: readonly A[], work: (item: A) => Promise<B>): Promise<B[]> {
  const results: B[] = []
  const queue = [...items.entries()]
  const run = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [i, item] = next
      results[i] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, run))
  return results
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

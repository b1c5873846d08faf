import { listEvents } from '../../../api/events.ts'
import { PAGE_MAX } from '../../../api/limits.ts'
import { getSeries, listSnapshots } from '../../../api/scores.ts'
import type { EventType, SeriesPoint, Snapshot } from '../../../api/types.ts'

/** A span of time in milliseconds since the epoch. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

export interface HistoryPoint {
  readonly at: number
  /** Null at an event of a busy span: what the score was then was not read. */
  readonly score: number | null
  /** Null at a change: it lies between those of the points around it. */
  readonly interval: SeriesPoint['interval'] | null
  /** What changed the score then; null where the score was only looked at. */
  readonly trigger: Pick<Snapshot['trigger'], 'kind' | 'type'> | null
  /** When a review changed it afterwards. */
  readonly correctedAt?: number
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

/** What stands out in a span of more changes than are read, the latest of each. */
const OUTSTANDING = [
  'task.failed',
  'payment.failed',
  'payment.disputed',
  'credential.issued',
  'credential.revoked',
  'agent.transferred',
] as const satisfies readonly EventType[]

/**
 * The score over a span: at evenly spaced times with its interval, and the latest hundred changes as they
 * were. Of a busier span also the events that stand out, to who may read them. Costs two lookups.
 */
export async function readHistory(
  id: string,
  { from, to }: TimeSpan,
  hasEvents: boolean,
  signal: AbortSignal,
): Promise<HistoryRead> {
  // The service's clock may be behind: it uses its own current time.
  const span = { from: iso(from), ...(to > Date.now() ? {} : { to: iso(to) }) }
  const [series, changes] = await Promise.all([
    getSeries(id, { ...span, points: POINTS }, signal),
    listSnapshots(id, { ...span, limit: CHANGES }, signal),
  ])
  const first = changes.data.at(-1)
  const isSampled = changes.nextCursor !== null && first !== undefined
  const earlier = isSampled && hasEvents ? { from: iso(from), to: first.createdAt } : null
  const points = [
    ...series.map(({ at, score, interval }) => {
      return { at: Date.parse(at), score, interval, trigger: null }
    }),
    ...changes.data.map(pointOf),
    ...(earlier ? await outstanding(id, earlier, signal) : []),
  ].sort((a, b) => a.at - b.at)
  return { points, isSampled }
}

function pointOf({ createdAt, score, trigger, correctedAt }: Snapshot): HistoryPoint {
  const point = { at: Date.parse(createdAt), score, interval: null, trigger }
  return correctedAt === null ? point : { ...point, correctedAt: Date.parse(correctedAt) }
}

async function outstanding(
  id: string,
  span: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<readonly HistoryPoint[]> {
  const read = OUTSTANDING.map((type) =>
    listEvents(id, { ...span, type, limit: PAGE_MAX })(undefined, signal),
  )
  const pages = await Promise.all(read)
  return pages
    .flatMap(({ data }) => data)
    .filter(({ isQuarantined }) => !isQuarantined)
    .map(({ createdAt, type }) => {
      const trigger = { kind: 'event', type } as const
      return { at: Date.parse(createdAt), score: null, interval: null, trigger }
    })
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

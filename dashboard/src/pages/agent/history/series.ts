import type { HistoryPoint } from './load.ts'

/** Columns as uPlot takes them: seconds, score, and the ends of the interval. */
export type Columns = [number[], (number | null)[], (number | null)[], (number | null)[]]

/** A sign on the base line of the chart. */
export interface Mark {
  readonly at: number
  readonly kind: 'bad' | 'review' | 'model' | 'identity'
}

/** Points on one axis of time; no ends of the interval where they are not known. */
export function columnsOf(points: readonly HistoryPoint[]): Columns {
  return [
    points.map(({ at }) => at / 1000),
    points.map(({ score }) => score),
    points.map(({ interval }) => interval?.low ?? null),
    points.map(({ interval }) => interval?.high ?? null),
  ]
}

/** What stands out: failures, reviews, another model, owner or credential. Good work is the line itself. */
export function marksOf(points: readonly HistoryPoint[]): readonly Mark[] {
  const reviewed = new Set(points.flatMap(({ correctedAt }) => correctedAt ?? []))
  const reviews = [...reviewed].map((at): Mark => ({ at, kind: 'review' }))
  return [...points.flatMap(marksOfPoint), ...reviews].sort((a, b) => a.at - b.at)
}

function marksOfPoint({ at, trigger }: HistoryPoint): readonly Mark[] {
  if (!trigger) {
    return []
  }
  const { kind, type } = trigger
  if (kind === 'model') {
    return [{ at, kind }]
  }
  if (type === 'credential.issued' || type.startsWith('agent.')) {
    return [{ at, kind: 'identity' }]
  }
  return isBad(type) ? [{ at, kind: 'bad' }] : []
}

function isBad(type: string): boolean {
  return !/\.completed$|^uptime\.|\.issued$/.test(type)
}

/** Room above and below the line, so that noise does not look like news. */
const SPAN_MIN = 120

/** The part of 0 to 1000 that is shown. */
export function rangeOf(columns: Columns): [number, number] {
  const values = columns
    .slice(1)
    .flat()
    .filter((value) => value !== null)
  if (values.length === 0) {
    return [0, 1000]
  }
  const low = Math.min(...values)
  const high = Math.max(...values)
  const room = Math.max(20, (SPAN_MIN - (high - low)) / 2)
  return [Math.max(0, Math.floor(low - room)), Math.min(1000, Math.ceil(high + room))]
}

/** What a score is made of, in whole points that sum to it exactly. */
import { apportion } from './apportion.ts'
import type { Attribution, ReporterGroup, ScoreChange } from './attribution.ts'
import { DIMENSIONS, type Dimension, type EventType, LOG_TYPES, LOGGED_TYPES } from './event.ts'

export interface Contribution {
  readonly events: number
  readonly points: number
}

/**
 * `start`, `time`, `correction` and the dimensions sum to the whole; so do the first three with the
 * types, and with the reporters.
 */
export interface Contributions {
  /** What there was before any event. */
  readonly start: number
  /** What the passing of days brought and took: time served, and fading. */
  readonly time: number
  /** The stored score minus the one that the log gives under the model in force; 0 when they agree. */
  readonly correction: number
  readonly dimensions: readonly (Contribution & { readonly dimension: Dimension })[]
  readonly types: readonly (Contribution & { readonly type: EventType })[]
  readonly reporters: readonly (Contribution & {
    /** Null for all those together that are not named. */
    readonly reporter: Pick<ReporterGroup, 'kind' | 'id'> | null
  })[]
}

/** Reporters named one by one; the rest is one line. */
const REPORTERS_MAX = 20

/** The contributions between two stored scores: where the attribution begins, and now. */
export function contributionsOf(attribution: Attribution, from: number, to: number): Contributions {
  const found = Math.round(attribution.whole) - Math.round(attribution.start)
  const types = [...attribution.types].sort(([a], [b]) => order(a) - order(b))
  const parts = [attribution.time, ...types.map(([, { points }]) => points)]
  const [time = 0, ...points] = apportion(parts, found)
  const byType = types.map(([type, { events }], i) => ({ type, events, points: points[i] ?? 0 }))
  return {
    start: from,
    time,
    correction: to - from - found,
    dimensions: DIMENSIONS.map((dimension) => ({ dimension, ...sumOf(byType, dimension) })),
    types: byType,
    reporters: reportersOf(attribution, found - time),
  }
}

function order(type: EventType): number {
  return LOGGED_TYPES.indexOf(type)
}

function sumOf(types: Contributions['types'], dimension: Dimension): Contribution {
  const its = types.filter(({ type }) => LOG_TYPES[type].dimension === dimension)
  return {
    events: its.reduce((sum, { events }) => sum + events, 0),
    points: its.reduce((sum, { points }) => sum + points, 0),
  }
}

function reportersOf({ reporters }: Attribution, total: number): Contributions['reporters'] {
  const all = [...reporters.values()].sort(
    (a, b) => Math.abs(b.points) - Math.abs(a.points) || (a.id < b.id ? -1 : 1),
  )
  const points = apportion(
    all.map((one) => one.points),
    total,
  )
  const lines = all.map(({ kind, id, events }, i) => ({
    reporter: { kind, id },
    events,
    points: points[i] ?? 0,
  }))
  if (lines.length <= REPORTERS_MAX) {
    return lines
  }
  const rest = lines.slice(REPORTERS_MAX)
  const others = {
    reporter: null,
    events: rest.reduce((sum, { events }) => sum + events, 0),
    points: rest.reduce((sum, one) => sum + one.points, 0),
  }
  return [...lines.slice(0, REPORTERS_MAX), others]
}

/** A score change as it is shown: to the tenth of a point, since many an event changes less than one. */
export function shownChange(change: ScoreChange): ScoreChange {
  return { ...change, points: Math.round(change.points * 10) / 10 }
}

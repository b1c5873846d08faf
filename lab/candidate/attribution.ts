/**
 * The account of a score: what each event moved it by when it was folded, and what the time between
 * events moved it by. Start, events and time sum to the score exactly, in whatever groups.
 */
import { apportion } from '../../src/domain/apportion.ts'
import { addEvent, type CountedEvent, type Evidence } from './evidence.ts'
import type { Model } from './model.ts'
import { assess } from './score.ts'

export interface Contribution {
  readonly key: string
  readonly events: number
  readonly points: number
}

export interface Attribution {
  /** Rounded, before the first event. */
  readonly start: number
  /** Whole points that time brought and took: with the others they sum to score − start. */
  readonly time: number
  readonly contributions: readonly Contribution[]
  readonly score: number
}

/** Contributions by whatever `keyOf` names an event: its type, its reporter, its dimension. */
export function attribute(
  model: Model,
  before: Evidence,
  events: Iterable<CountedEvent>,
  at: number,
  keyOf: (event: CountedEvent) => string,
): Attribution {
  let evidence = before
  const first = assess(model, evidence, evidence.at).whole
  let whole = first
  let time = 0
  const groups = new Map<string, { events: number; points: number }>()
  for (const event of events) {
    const aged = assess(model, evidence, event.at).whole
    time += aged - whole
    evidence = addEvent(model, evidence, event)
    whole = assess(model, evidence, event.at).whole
    const key = keyOf(event)
    const group = groups.get(key) ?? { events: 0, points: 0 }
    groups.set(key, group)
    group.events += 1
    group.points += whole - aged
  }
  const last = assess(model, evidence, at).whole
  time += last - whole
  const start = Math.round(first)
  const score = Math.round(last)
  const [timePoints = 0, ...points] = apportion(
    [time, ...[...groups.values()].map((one) => one.points)],
    score - start,
  )
  const contributions = [...groups].map(([key, { events: count }], i) => ({
    key,
    events: count,
    points: points[i] ?? 0,
  }))
  return { start, time: timePoints, contributions, score }
}

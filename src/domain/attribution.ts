/**
 * The account of a score: what each event moved it by when it was folded, and what the time between
 * events moved it by. Start, events and time sum to the score by construction, in whatever groups.
 */

import type { EventType, ReporterKind } from './event.ts'
import { impactOf } from './event-weight.ts'
import type { CountedEvent, Evidence } from './evidence.ts'
import type { Model } from './model.ts'
import { assess } from './score.ts'

/** An event that counts, with its id, the kind of its reporter and the evidence after it. */
export interface AttributedEvent {
  readonly id: string
  readonly kind: ReporterKind
  readonly event: CountedEvent
  readonly evidence: Evidence
}

/** What one event moved the score by. */
export interface ScoreChange {
  readonly id: string
  readonly type: EventType
  readonly at: number
  readonly points: number
}

export interface Group {
  events: number
  points: number
}

export interface ReporterGroup extends Group {
  readonly kind: ReporterKind
  readonly id: string
  /** Whether its reports weigh a tenth. */
  readonly self: boolean
  /** The reporter weight of its latest report. */
  weight: number
}

/** Points before rounding. Written to while the log is folded, then read. */
export interface Attribution {
  evidence: Evidence
  /** The score after the last entry. */
  whole: number
  readonly start: number
  time: number
  readonly types: Map<EventType, Group>
  readonly reporters: Map<string, ReporterGroup>
  /** The strongest single events, strongest first. */
  up: ScoreChange[]
  down: ScoreChange[]
  /** When the last event came; null before the first. */
  lastAt: number | null
  /** Points lost to bad events since a time. */
  recentLoss: number
  readonly recentSince: number
}

/** So many single events are worth naming: beyond, they are all alike. */
const MOVES_MAX = 5

/** An account that begins with the evidence as it stands at a time. */
export function newAttribution(
  model: Model,
  evidence: Evidence,
  at: number,
  recentSince: number,
): Attribution {
  const { whole } = assess(model, evidence, at)
  return {
    evidence,
    whole,
    start: whole,
    time: 0,
    types: new Map(),
    reporters: new Map(),
    up: [],
    down: [],
    lastAt: null,
    recentLoss: 0,
    recentSince,
  }
}

/** Books what an event, and the time before it, moved the score by. */
export function addToAttribution(
  model: Model,
  ledger: Attribution,
  { id, kind, event, evidence }: AttributedEvent,
): void {
  addTimeEffect(model, ledger, event.at)
  const before = ledger.whole
  ledger.evidence = evidence
  ledger.whole = assess(model, ledger.evidence, event.at).whole
  const points = ledger.whole - before
  book(ledger.types, event.type, points, () => ({ events: 0, points: 0 }))
  const weight = event.reporterWeight ?? 1
  const reporter = book(ledger.reporters, event.reporter, points, () => ({
    events: 0,
    points: 0,
    kind,
    id: event.reporter,
    self: event.self,
    weight,
  }))
  reporter.weight = weight
  const { type, at } = event
  if (points > 0) {
    ledger.up = withMove(ledger.up, { id, type, at, points })
  }
  if (points < 0) {
    ledger.down = withMove(ledger.down, { id, type, at, points })
  }
  if (impactOf(model, type, event.data) === 'negative' && at >= ledger.recentSince) {
    ledger.recentLoss -= points
  }
  ledger.lastAt = at
}

/** The platform heard most, whose word the evidence knows best; null before any was heard. */
export function mainReporter({ reporters }: Attribution): string | null {
  let most: ReporterGroup | null = null
  for (const one of reporters.values()) {
    if (!one.self && one.events > (most?.events ?? 0)) {
      most = one
    }
  }
  return most?.id ?? null
}

/** Books what the time up to now moved the score by. */
export function addTimeEffect(model: Model, ledger: Attribution, at: number): void {
  const { whole } = assess(model, ledger.evidence, at)
  ledger.time += whole - ledger.whole
  ledger.whole = whole
}

function book<K, G extends Group>(groups: Map<K, G>, key: K, points: number, make: () => G): G {
  let group = groups.get(key)
  if (!group) {
    group = make()
    groups.set(key, group)
  }
  group.events += 1
  group.points += points
  return group
}

function withMove(moves: ScoreChange[], move: ScoreChange): ScoreChange[] {
  const last = moves[MOVES_MAX - 1]
  if (last && Math.abs(last.points) >= Math.abs(move.points)) {
    return moves
  }
  const all = [...moves, move].sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
  return all.slice(0, MOVES_MAX)
}

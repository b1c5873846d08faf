/**
 * How a score came about: what each event changed it by when it was folded, and what the time between
 * events changed it by. Start, events and time sum to the score by construction, in whatever groups. Points
 * lie on a grid on which sums and differences are exact: the attribution of a part of a log is the
 * difference of those at its two ends.
 */

import { assessWhole } from './assess.ts'
import { type EventType, isHandover, type ReporterKind } from './event.ts'
import { impactOf } from './event-weight.ts'
import type { CountedEvent } from './evidence.ts'
import type { Evidence } from './evidence-state.ts'
import type { Model } from './model.ts'
import { isShared } from './places.ts'

/** An event that counts, with its id, the kind of its reporter and the evidence after it. */
export interface AttributedEvent {
  readonly id: string
  readonly kind: ReporterKind
  readonly event: CountedEvent
  readonly evidence: Evidence
}

/** The score change of one event. */
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
  /** The reporter weight of its latest report, and the owner in whose vote it counts; null where in its own. */
  weight: number
  voter?: string | null
  /** Whether its vote was discarded after its latest report. */
  isDiscarded?: boolean
}

/** The strongest single events that raised a score and that lowered it, strongest first. */
export interface Strongest {
  readonly up: readonly ScoreChange[]
  readonly down: readonly ScoreChange[]
}

export const NO_CHANGES: Strongest = { up: [], down: [] }

/** Points before rounding. Written to while the log is folded, then read. */
export interface Attribution {
  evidence: Evidence
  /** The score after the last entry. */
  whole: number
  readonly start: number
  time: number
  readonly types: Map<EventType, Group>
  readonly reporters: Map<string, ReporterGroup>
  strongest: Strongest
  /** When the last event came; null before the first. What the service records of itself is left out, except
   *  that an agent took over the reports of another. */
  lastAt: number | null
  /** Points lost to bad events. */
  loss: number
}

/** Single events that are named each way: beyond, they are all alike. */
const STRONGEST_MAX = 5

/** An attribution that begins with the evidence as it stands at a time. */
export function newAttribution(model: Model, evidence: Evidence, at: number): Attribution {
  const whole = pointsAt(model, evidence, at)
  return {
    evidence,
    whole,
    start: whole,
    time: 0,
    types: new Map(),
    reporters: new Map(),
    strongest: NO_CHANGES,
    lastAt: null,
    loss: 0,
  }
}

/** Adds the score change of an event, and of the time before it, and returns that of the event. */
export function addToAttribution(
  model: Model,
  attribution: Attribution,
  { id, kind, event, evidence }: AttributedEvent,
): ScoreChange {
  addTimeEffect(model, attribution, event.at)
  const before = attribution.whole
  const { sources } = attribution.evidence
  attribution.evidence = evidence
  attribution.whole = pointsAt(model, evidence, event.at)
  const points = attribution.whole - before
  addToGroup(attribution.types, event.type, points, () => ({ events: 0, points: 0 }))
  const { reporterWeight: weight = 1, voter = null } = event
  const reporter = addToGroup(attribution.reporters, event.reporter, points, () => ({
    events: 0,
    points: 0,
    kind,
    id: event.reporter,
    self: event.self,
    weight,
    voter,
  }))
  const { type, at } = event
  // What the service records about a platform says nothing of how its reports count.
  if (type === 'reports.discarded') {
    const { platformId, platformOwnerId } = event.data
    const votes = sources.filter(({ voter: v }) => v === platformId || v === platformOwnerId)
    markDiscarded(attribution, new Set(votes.map((source) => source.voter)))
  } else {
    Object.assign(reporter, { kind, self: event.self, weight, voter, isDiscarded: false })
  }
  const change = { id, type, at, points }
  attribution.strongest = withChange(attribution.strongest, change)
  const isReport = !isHandover(type)
  if (isReport && impactOf(model, type, event.data) === 'negative') {
    attribution.loss -= points
  } else if (type === 'reports.discarded') {
    attribution.loss -= Math.max(0, points)
  }
  if (isReport || type === 'agent.succeeded') {
    attribution.lastAt = at
  }
  return change
}

/** A copy that later additions do not change. */
export function copyOf(attribution: Attribution): Attribution {
  const types = new Map([...attribution.types].map(([type, group]) => [type, { ...group }]))
  const reporters = new Map([...attribution.reporters].map(([id, group]) => [id, { ...group }]))
  return { ...attribution, types, reporters }
}

/** The attribution of the events after an earlier one of the same agent. */
export function attributionSince(
  before: Attribution,
  attribution: Attribution,
  strongest: Strongest,
): Attribution {
  return {
    ...attribution,
    start: before.whole,
    time: attribution.time - before.time,
    types: groupsSince(before.types, attribution.types),
    reporters: groupsSince(before.reporters, attribution.reporters),
    strongest,
    loss: attribution.loss - before.loss,
  }
}

function groupsSince<K, G extends Group>(
  before: ReadonlyMap<K, G>,
  groups: ReadonlyMap<K, G>,
): Map<K, G> {
  const since = new Map<K, G>()
  for (const [key, group] of groups) {
    const { events, points } = before.get(key) ?? { events: 0, points: 0 }
    if (group.events > events) {
      const rest = { events: group.events - events, points: group.points - points }
      since.set(key, { ...group, ...rest })
    }
  }
  return since
}

/** The platform with the most reports in the evidence; null before the first report. */
export function mainReporter({ reporters }: Attribution): ReporterGroup | null {
  let most: ReporterGroup | null = null
  for (const one of reporters.values()) {
    if (isVoter(one) && one.events > (most?.events ?? 0)) {
      most = one
    }
  }
  return most
}

/** How many platforms have reported, also on the agents that it replaced. All platforms of one owner are one. */
export function votersOf({ reporters, evidence }: Attribution): number {
  const platforms = [...reporters.values()].filter(isVoter)
  const votes = evidence.sources.map(({ voter }) => voter).filter((voter) => !isShared(voter))
  return new Set([...platforms.map(({ id, voter }) => voter ?? id), ...votes]).size
}

/** Whether its reports count beside those of the agent's own side. Of a platform whose reports are all quarantined only
 *  the service has recorded something. */
function isVoter({ self, kind, isDiscarded = false }: ReporterGroup): boolean {
  return !self && kind !== 'system' && !isDiscarded
}

/** Notes who has no vote any more. What a platform reported in a shared vote stays, and so does that platform. */
function markDiscarded({ reporters }: Attribution, votes: ReadonlySet<string>): void {
  for (const group of reporters.values()) {
    if (votes.has(group.voter ?? group.id)) {
      group.isDiscarded = true
    }
  }
}

/** Adds the score change of the time up to now. */
export function addTimeEffect(model: Model, attribution: Attribution, at: number): void {
  const whole = pointsAt(model, attribution.evidence, at)
  attribution.time += whole - attribution.whole
  attribution.whole = whole
}

function addToGroup<K, G extends Group>(
  groups: Map<K, G>,
  key: K,
  points: number,
  make: () => G,
): G {
  let group = groups.get(key)
  if (!group) {
    group = make()
    groups.set(key, group)
  }
  group.events += 1
  group.points += points
  return group
}

/** The strongest with one more. Of equally strong ones the earlier come first. */
export function withChange(strongest: Strongest, change: ScoreChange): Strongest {
  const { up, down } = strongest
  if (change.points > 0 && isAmong(up, change)) {
    return { up: inserted(up, change), down }
  }
  if (change.points < 0 && isAmong(down, change)) {
    return { up, down: inserted(down, change) }
  }
  return strongest
}

function isAmong(strongest: readonly ScoreChange[], { points }: ScoreChange): boolean {
  const last = strongest[STRONGEST_MAX - 1]
  return last === undefined || Math.abs(points) > Math.abs(last.points)
}

function inserted(strongest: readonly ScoreChange[], change: ScoreChange): readonly ScoreChange[] {
  const all = [...strongest, change].sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
  return all.slice(0, STRONGEST_MAX)
}

/** A power of two: sums of a hundred million points are exact, and no figure shown is as fine. */
const STEPS_PER_POINT = 2 ** 26

function pointsAt(model: Model, evidence: Evidence, at: number): number {
  return Math.round(assessWhole(model, evidence, at).whole * STEPS_PER_POINT) / STEPS_PER_POINT
}

/**
 * What is remembered of an agent, and how an event changes it. Pure: the same evidence and event give
 * the same evidence, to the last bit, on any machine. What depends on others (how established the
 * reporter is, how hard the work) stands on the event, as it was when the event was taken in.
 */

import { exp2, log2 } from '../../src/domain/math.ts'
import { MODEL as CURRENT } from '../../src/domain/model.ts'
import { addOutcome, NO_OUTCOMES, type OutcomeCounts } from '../../src/domain/outcome-counts.ts'
import { EVENT_TYPES, type EventData, type EventType } from './event.ts'
import { amountUsd, atHardness, observationOf } from './event-weight.ts'
import type { Model } from './model.ts'
import { aged, type Kind, NOTHING_SAID, type Source, sourceOf, withReport } from './source.ts'

const DAY_MS = 86_400_000

/** An event that counts: accepted, and not quarantined. */
export interface CountedEvent {
  readonly type: EventType
  readonly data: EventData
  /** Id of the reporter. */
  readonly reporter: string
  /** A tenth of the weight: the agent itself, its owner, or a platform that its owner runs. */
  readonly self: boolean
  /** How established the reporter was when the event was taken in: 1, ½ (provisional) or less.
   *  1 unless given. */
  readonly reporterWeight?: number
  /** How much of the event counts, 0 to 1: of a credential less where it is not the first of its type
   *  and issuer, of any event less after reviews. 1 unless given. */
  readonly share?: number
  /** Logarithm of the odds by which such work was harder than usual. 0 unless given. */
  readonly hardness?: number
  /** Milliseconds since 1970, the time of receipt. */
  readonly at: number
}

export interface ClassTally {
  readonly name: string
  readonly good: number
  readonly bad: number
}

export interface Evidence {
  readonly registeredAt: number
  readonly initialCeiling: number
  /** Milliseconds since 1970 of the last event, or of registration. */
  readonly at: number
  readonly workCount: number
  readonly moneyCount: number
  readonly identityCount: number
  readonly selfCount: number
  /** Day (since 1970) of the first good report of a platform, −1 before. */
  readonly firstDay: number
  /** Days with such a report that are over, and whether today is one. */
  readonly activeDays: number
  readonly activeToday: number
  /** All reporters without a vote of their own, and the agent's own side. */
  readonly crowd: Source
  readonly self: Source
  /** Reporters with a vote of their own, in the order of their first report. */
  readonly sources: readonly Source[]
  /** Credentials by platforms and by the owner, revocations by either. */
  readonly verified: number
  readonly claimed: number
  readonly revoked: number
  readonly withdrawn: number
  /** Classes of work, in the order of their first report. */
  readonly classes: readonly ClassTally[]
  readonly tallies: {
    readonly tasks: OutcomeCounts
    readonly upkeep: OutcomeCounts
    readonly payments: OutcomeCounts
  }
}

export type Draft = { -readonly [K in keyof Evidence]: Evidence[K] }

export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** Evidence of an agent of which nothing is known; its owner's worst agent of the last year, or 1000. */
export function newEvidence(model: Model, registeredAt: number, initialCeiling = 1000): Evidence {
  const nothing = sourceOf(model, NOTHING_SAID, 0)
  return {
    registeredAt,
    initialCeiling,
    at: registeredAt,
    workCount: 0,
    moneyCount: 0,
    identityCount: 0,
    selfCount: 0,
    firstDay: -1,
    activeDays: 0,
    activeToday: 0,
    crowd: nothing,
    self: nothing,
    sources: [],
    verified: 0,
    claimed: 0,
    revoked: 0,
    withdrawn: 0,
    classes: [],
    tallies: { tasks: NO_OUTCOMES, upkeep: NO_OUTCOMES, payments: NO_OUTCOMES },
  }
}

/** The evidence with one event more. One dated before the last counts at the time of the last. */
export function addEvent(model: Model, evidence: Evidence, event: CountedEvent): Evidence {
  const draft = copyOf(evidence)
  add(model, draft, event)
  return draft
}

/** The evidence with all events more, in their order. */
export function foldEvents(
  model: Model,
  evidence: Evidence,
  events: Iterable<CountedEvent>,
): Evidence {
  const draft = copyOf(evidence)
  for (const event of events) {
    add(model, draft, event)
  }
  return draft
}

/** The evidence at a later time: whole days age it, within a day nothing fades. */
export function agedTo(model: Model, evidence: Evidence, at: number): Evidence {
  if (!(at > evidence.at) || dayOf(at) === dayOf(evidence.at)) {
    return evidence
  }
  const draft = copyOf(evidence)
  passTo(model, draft, at)
  return draft
}

function add(model: Model, draft: Draft, event: CountedEvent): void {
  passTo(model, draft, event.at)
  if (event.self) {
    draft.selfCount += 1
  }
  const { dimension } = EVENT_TYPES[event.type]
  if (dimension === 'identity') {
    addCredential(model, draft, event)
    return
  }
  if (dimension === 'financial') {
    draft.moneyCount += 1
  } else {
    draft.workCount += 1
  }
  addReport(model, draft, event, dimension === 'financial' ? 'money' : 'work')
}

function addReport(model: Model, draft: Draft, event: CountedEvent, kind: Kind): void {
  const { data, share = 1, hardness = 0, self } = event
  const weight = self ? model.crowdWeight : (event.reporterWeight ?? 1)
  const observed = share * observationOf(event.type, data)
  const observation =
    (self ? model.selfShare : 1) * atHardness(observed, hardness, model.hardnessMax)
  const usd = kind === 'money' ? amountUsd(data) : 0
  const day = draft.activeDays
  const report = { kind, observation, weight, day, carried: usd > 0 ? log2(1 + usd) : 0 }
  if (self) {
    draft.self = withReport(model, draft.self, report)
    return
  }
  countReport(draft, event, share, observed)
  if (data.taskClass !== undefined) {
    draft.classes = withClass(model, draft.classes, data.taskClass, observation)
  }
  const place = placeOf(model, draft.sources, event.reporter, weight)
  if (place < 0) {
    draft.crowd = withReport(model, draft.crowd, { ...report, weight: model.crowdWeight })
  } else {
    const sources = draft.sources.slice()
    const before = sources[place] ?? { ...NOTHING_SAID, reporter: event.reporter }
    sources[place] = withReport(model, before, report)
    draft.sources = sources
  }
  if (observation <= 0) {
    return
  }
  if (draft.firstDay < 0) {
    draft.firstDay = dayOf(draft.at)
  }
  draft.activeToday = 1
}

/** Where a reporter's vote is or is to be; below zero if it speaks with the crowd. */
function placeOf(
  model: Model,
  sources: readonly Source[],
  reporter: string,
  weight: number,
): number {
  if (weight < model.ownVoteMin) {
    return -1
  }
  let provisional = 0
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Source
    if (source.reporter === reporter) {
      return i
    }
    if (Math.max(source.upWeight, source.downWeight) < 1) {
      provisional += 1
    }
  }
  if (sources.length >= model.platformsMax) {
    return -1
  }
  return weight < 1 && provisional >= model.provisionalMax ? -1 : sources.length
}

function withClass(
  model: Model,
  classes: readonly ClassTally[],
  name: string,
  observation: number,
): readonly ClassTally[] {
  const good = Math.fround(Math.max(0, observation))
  const bad = Math.fround(Math.max(0, -observation))
  const place = classes.findIndex((one) => one.name === name)
  if (place < 0) {
    return classes.length < model.classesMax ? [...classes, { name, good, bad }] : classes
  }
  const changed = classes.slice()
  const one = classes[place] as ClassTally
  const room = one.good + one.bad > model.massMax ? model.massMax / (one.good + one.bad + 1) : 1
  changed[place] = {
    name,
    good: Math.fround(one.good * room + good),
    bad: Math.fround(one.bad * room + bad),
  }
  return changed
}

/** For the forecast every report counts as one, or as much of one as its reporter's word. */
function countReport(draft: Draft, event: CountedEvent, share: number, observed: number): void {
  const { tasks, upkeep, payments } = draft.tallies
  switch (EVENT_TYPES[event.type].data) {
    case 'task':
      draft.tallies = { tasks: addOutcome(CURRENT, tasks, observed > 0, share), upkeep, payments }
      break
    case 'payment':
      draft.tallies = {
        tasks,
        upkeep,
        payments: addOutcome(CURRENT, payments, observed > 0, share),
      }
      break
    case 'uptime':
    case 'error':
      draft.tallies = { tasks, upkeep: addOutcome(CURRENT, upkeep, observed > 0, share), payments }
      break
    case 'credential':
  }
}

function addCredential(model: Model, draft: Draft, event: CountedEvent): void {
  const { share = 1, self, reporterWeight = 1 } = event
  const most = model.ownCredentialsMax
  draft.identityCount += 1
  if (event.type === 'credential.issued') {
    if (self) {
      draft.claimed = Math.min(most, draft.claimed + share)
    } else {
      draft.verified += share * reporterWeight
    }
  } else if (self) {
    draft.claimed = Math.max(0, draft.claimed - share)
    draft.withdrawn = Math.min(most, draft.withdrawn + share)
  } else {
    draft.verified = Math.max(0, draft.verified - share * reporterWeight)
    draft.revoked = Math.min(model.revokedMax, draft.revoked + share * reporterWeight)
  }
}

function passTo(model: Model, draft: Draft, at: number): void {
  if (!(at > draft.at)) {
    return
  }
  const days = dayOf(at) - dayOf(draft.at)
  draft.at = at
  if (days === 0) {
    return
  }
  const kept = exp2(-days / model.halfLifeDays)
  draft.activeDays += draft.activeToday
  draft.activeToday = 0
  draft.crowd = aged(model, draft.crowd, kept, draft.activeDays)
  draft.self = aged(model, draft.self, kept, draft.activeDays)
  draft.sources = draft.sources.map((source) => aged(model, source, kept, draft.activeDays))
  draft.verified *= kept
  draft.claimed *= kept
  draft.revoked *= kept
  draft.withdrawn *= kept
  if (draft.classes.length > 0) {
    draft.classes = draft.classes.map(({ name, good, bad }) => ({
      name,
      good: Math.fround(good * kept),
      bad: Math.fround(bad * kept),
    }))
  }
}

/** Spelt out, because spreading is several times slower. */
function copyOf(e: Evidence): Draft {
  return {
    registeredAt: e.registeredAt,
    initialCeiling: e.initialCeiling,
    at: e.at,
    workCount: e.workCount,
    moneyCount: e.moneyCount,
    identityCount: e.identityCount,
    selfCount: e.selfCount,
    firstDay: e.firstDay,
    activeDays: e.activeDays,
    activeToday: e.activeToday,
    crowd: e.crowd,
    self: e.self,
    sources: e.sources,
    verified: e.verified,
    claimed: e.claimed,
    revoked: e.revoked,
    withdrawn: e.withdrawn,
    classes: e.classes,
    tallies: e.tallies,
  }
}

/**
 * How events become evidence. Every function here is pure: the same evidence and event give the
 * same evidence, to the last bit, on any machine. What depends on others (how established the
 * reporter is, how hard the work) stands on the event, as it was when the event was received.
 */

import type { LoggedEvent } from './agent.ts'
import { advanceTo } from './decay.ts'
import { type EventData, type EventType, isHandover, LOG_TYPES } from './event.ts'
import { amountUsd, atHardness, observationOf, oddsAtHardness } from './event-weight.ts'
import {
  type Evidence,
  type MutableEvidence,
  mutableCopy,
  noOutcomes,
  type Outcomes,
  ownedCopy,
} from './evidence-state.ts'
import { handOver } from './handover.ts'
import { log2 } from './math.ts'
import type { Model } from './model.ts'
import { addOutcomeTo, copyOfCounts } from './outcome-counts.ts'
import { indexOfVote, isShared, nameAt, placeOf } from './places.ts'
import {
  copyOfSource,
  joinedTotals,
  type MutableSource,
  mutableSource,
  NO_TOTALS,
  type Source,
} from './source.ts'
import { addReportTo, partOfUptime, type SourceReport, withdraw } from './source-report.ts'
import { hasReports } from './sums.ts'
import { dayOf } from './time.ts'
import { sourceOf } from './vote.ts'

/** Which counts of the forecast a report's kind of data belongs to. */
const OUTCOME_OF = {
  task: 'tasks',
  payment: 'payments',
  // They stand in where no task is reported.
  uptime: 'upkeep',
  error: 'upkeep',
  // They are outcomes of the child.
  child: null,
} as const

/** An event that counts: accepted, and not quarantined. */
export interface CountedEvent {
  readonly type: EventType
  readonly data: EventData
  /** Id of the reporter. */
  readonly reporter: string
  /** Id of the owner in whose vote the report counts. By default the reporter has a vote of its own. */
  readonly voter?: string | null
  /** A tenth of the weight: the agent itself, its owner, or a platform that its owner runs. */
  readonly self: boolean
  /** How established the reporter was when the event was received: 1, ½ (provisional) or less.
   *  Default 1. */
  readonly reporterWeight?: number
  /**
   * How much of the event counts, 0 to 1: less for a platform that reviews found against, and for further
   * credentials of one issuer. Default 1.
   */
  readonly share?: number
  /** Logarithm of the odds by which such work is harder than usual. Default 0. */
  readonly hardness?: number
  /** Whether it was imported as a part of a past. Default false. */
  readonly imported?: boolean
  /** Milliseconds since 1970, the time of receipt. Events are folded in the order of receipt. */
  readonly at: number
}

/** An event of a log as it is folded. */
export function countedEvent(event: LoggedEvent): CountedEvent {
  const { type, data, self, voter, reporterWeight, share, hardness, createdAt: at } = event
  const reporter = event.reporter.id
  const imported = event.importedAt !== null
  return { type, data, reporter, voter, self, reporterWeight, share, hardness, imported, at }
}

/** The evidence with one event more. One dated before the last counts at the time of the last. */
export function addEvent(model: Model, evidence: Evidence, event: CountedEvent): Evidence {
  const draft = mutableCopy(evidence)
  add(model, draft, event, false)
  return draft
}

/** The evidence with all events more, in their order: addEvent for each, copied but once. */
export function foldEvents(
  model: Model,
  evidence: Evidence,
  events: Iterable<CountedEvent>,
): Evidence {
  const draft = ownedCopy(evidence)
  for (const event of events) {
    add(model, draft, event, true)
  }
  return draft
}

/** Adds an event to evidence to which nothing else refers (`ownedCopy`). */
export function addTo(model: Model, owned: MutableEvidence, event: CountedEvent): void {
  add(model, owned, event, true)
}

/** Evidence to which nothing else refers: it is written to, which takes a third of the time. */
export interface OwnedEvidence {
  /** The evidence with the events that were added; it changes with the next one. */
  readonly evidence: Evidence
  add(event: CountedEvent): void
}

export function ownedEvidence(model: Model, evidence: Evidence): OwnedEvidence {
  const draft = ownedCopy(evidence)
  return { evidence: draft, add: (event) => add(model, draft, event, true) }
}

/** With `isOwned` nothing else refers to what the draft is made of. */
function add(model: Model, draft: MutableEvidence, event: CountedEvent, isOwned: boolean): void {
  advanceTo(model, draft, event.at, isOwned)
  if (isHandover(event.type)) {
    draft.handoverCount += 1
  } else if (event.self) {
    draft.selfCount += 1
  }
  if (event.imported) {
    draft.importedCount += 1
  }
  const type = LOG_TYPES[event.type]
  switch (type.dimension) {
    case 'reliability':
      draft.reliabilityCount += 1
      addReport(model, draft, event, type, isOwned)
      break
    case 'financial':
      draft.financialCount += 1
      addReport(model, draft, event, type, isOwned)
      break
    case 'identity':
      draft.identityCount += 1
      if (isHandover(event.type)) {
        handOver(model, draft, event.type, event)
      } else {
        addCredential(model, draft, event)
      }
  }
}

/** An entry of LOG_TYPES whose events are reports. */
type ReportType = Extract<
  (typeof LOG_TYPES)[EventType],
  { readonly dimension: SourceReport['dimension'] }
>

function addReport(
  model: Model,
  draft: MutableEvidence,
  event: CountedEvent,
  { dimension, data: kind }: ReportType,
  isOwned: boolean,
): void {
  const { type, data, voter = null, share = 1, hardness = 0, reporterWeight = 1 } = event
  const whole = observationOf(model, type, data)
  const observed = share * whole
  const observation = atHardness(model, observed, hardness)
  const usd = dimension === 'financial' ? amountUsd(data) : 0
  if (voter !== null) {
    draft.sources = votesOfOwner(model, draft, event.reporter, voter)
  }
  const voting = voter ?? event.reporter
  const { sources } = draft
  const place = event.self ? null : placeOf(model, sources, voting, reporterWeight)
  const voterAt = { voter: voting, weight: reporterWeight }
  const name = place === null ? voting : nameAt(model, sources, place, voterAt)
  const source = event.self
    ? selfOf(draft, isOwned)
    : place === null
      ? crowdOf(draft, isOwned)
      : sourceAt(draft, place, name, isOwned)
  const weighed = event.self ? model.selfWeight * observation : observation
  const report = {
    dimension,
    observation: kind === 'uptime' ? partOfUptime(source, weighed) : weighed,
    whole: share === 1 ? observation : atHardness(model, whole, hardness),
    share,
    oddsRatio: oddsAtHardness(model, hardness),
    isUptime: kind === 'uptime',
    isDeal: isDeal(kind, data),
    weight: place === null ? model.crowdWeight : reporterWeight,
    at: draft.at,
    activeDays: draft.activeDays,
    carried: usd > 0 ? log2(1 + usd) : 0,
    // Classes are counted for votes of one reporter or owner only.
    taskClass: place !== null && kind === 'task' && !isShared(name) ? data.taskClass : undefined,
    // Votes of one reporter or owner, and shared ones, count counterparties.
    counterparty: place === null ? undefined : data.counterparty,
  }
  addReportTo(model, source, report, isOwned)
  if (event.self) {
    return
  }
  const isCrowd = place === null
  const former = isCrowd ? indexOfVote(sources, voting) : -1
  if (former >= 0) {
    withdraw(model, sourceAt(draft, former, voting, isOwned), report)
  }
  if (!isCrowd && sources.length === 0) {
    // What the crowd reported is no record of the agent any more.
    draft.outcomeCounts = noOutcomes()
  }
  // Beside platforms with a vote of their own the crowd is no part of the forecast.
  if (!isCrowd || sources.length === 0) {
    countOutcome(model, draft, OUTCOME_OF[kind], observed > 0, share, isOwned)
  }
  // Where one of them denies that the agent is good, the crowd's days do not make its complaint fade.
  if (observation > 0 && !(isCrowd && sources.some(denies))) {
    draft.activeToday = 1
    if (draft.firstDay < 0) {
      draft.firstDay = dayOf(draft.at)
    }
  }
}

/** Of a child's bad report its type decides. It is not in logs of earlier versions, where it is taken for one. */
function isDeal(kind: ReportType['data'], { childEventType = 'task.failed' }: EventData): boolean {
  const own = kind === 'child' ? LOG_TYPES[childEventType].data : kind
  return own === 'task' || own === 'payment'
}

function denies({ jointWeight }: Source): boolean {
  return jointWeight > 0
}

function selfOf(draft: MutableEvidence, isOwned: boolean): MutableSource {
  draft.self = sourceToWrite(draft.self, isOwned)
  return draft.self
}

function crowdOf(draft: MutableEvidence, isOwned: boolean): MutableSource {
  draft.crowd = sourceToWrite(draft.crowd, isOwned)
  return draft.crowd
}

/** Without reports it is shared even where all else is owned. */
function sourceToWrite(source: Source, isOwned: boolean): MutableSource {
  return isOwned && hasReports(source) ? source : copyOfSource(source)
}

/** The vote at its place, to be written to; a new one at the end. */
function sourceAt(
  draft: MutableEvidence,
  place: number,
  voter: string,
  isOwned: boolean,
): MutableSource {
  const before = draft.sources[place]
  if (before && isOwned) {
    return before
  }
  const source = before ? copyOfSource(before) : mutableSource({ ...NO_TOTALS, voter })
  const sources = draft.sources.slice()
  sources[place] = source
  draft.sources = sources
  return source
}

/**
 * The votes, of which a platform has none apart from its owner's. Where it has one of a time at which no voter was
 * recorded, the owner's continues it.
 */
function votesOfOwner(
  model: Model,
  { sources, activeDays }: MutableEvidence,
  platform: string,
  owner: string,
): readonly Source[] {
  const own = indexOfVote(sources, platform)
  if (own < 0) {
    return sources
  }
  const vote = sources[own] as Source
  const known = sources[indexOfVote(sources, owner)]
  const totals = known ? joinedTotals(model, known, vote) : { ...vote, voter: owner }
  const replaced = known ?? vote
  return sources
    .filter((source) => source === replaced || source !== vote)
    .map((source) => (source === replaced ? sourceOf(model, totals, activeDays) : source))
}

/** For the forecast every report counts as one, or as its share of one. */
function countOutcome(
  model: Model,
  draft: MutableEvidence,
  kind: keyof Outcomes | null,
  isGood: boolean,
  share: number,
  isOwned: boolean,
): void {
  if (kind === null) {
    return
  }
  if (!isOwned) {
    draft.outcomeCounts = withCopyOf(draft.outcomeCounts, kind)
  }
  addOutcomeTo(model, draft.outcomeCounts[kind], isGood, share)
}

/** Spelt out: a field by a name that is computed, and spreading, take several times as long. */
function withCopyOf({ tasks, upkeep, payments }: Outcomes, kind: keyof Outcomes): Outcomes {
  return {
    tasks: kind === 'tasks' ? copyOfCounts(tasks) : tasks,
    upkeep: kind === 'upkeep' ? copyOfCounts(upkeep) : upkeep,
    payments: kind === 'payments' ? copyOfCounts(payments) : payments,
  }
}

function addCredential(model: Model, draft: MutableEvidence, event: CountedEvent): void {
  const { share = 1, reporterWeight = 1 } = event
  const isIssued = event.type === 'credential.issued'
  const verified = share * reporterWeight
  if (isIssued && event.self) {
    draft.claimed = Math.min(model.ownCredentialsMax, draft.claimed + share)
  } else if (isIssued) {
    draft.verified += verified
  } else if (event.self) {
    draft.claimed = without(draft.claimed, share)
    draft.withdrawn = Math.min(model.ownCredentialsMax, draft.withdrawn + share)
  } else {
    draft.verified = without(draft.verified, verified)
    draft.revoked = Math.min(model.revokedMax, draft.revoked + verified)
  }
}

/** Less than this is what rounding leaves of a credential that was revoked. */
const CREDENTIAL_MIN = 1e-9

/** What is left of credentials after a revocation. */
function without(credentials: number, revoked: number): number {
  const left = credentials - revoked
  return left < CREDENTIAL_MIN ? 0 : left
}

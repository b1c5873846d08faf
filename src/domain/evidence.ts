/**
 * How events become evidence. Every function here is pure: the same evidence and event give the
 * same evidence, to the last bit, on any machine. What depends on others (how established the
 * reporter is, how hard the work) stands on the event, as it was when the event was received.
 */

import type { LoggedEvent } from './agent.ts'
import { advanceTo } from './decay.ts'
import { EVENT_TYPES, type EventData, type EventType } from './event.ts'
import { amountUsd, atHardness, observationOf } from './event-weight.ts'
import { type Evidence, type MutableEvidence, mutableCopy } from './evidence-state.ts'
import { log2 } from './math.ts'
import type { Model } from './model.ts'
import { addOutcome } from './outcome-counts.ts'
import { partyOf } from './parties.ts'
import { NO_TOTALS, type Source, type SourceReport, withReport } from './source.ts'
import { dayOf } from './time.ts'

export {
  decodeEvidence,
  decodeRegistration,
  encodeEvidence,
  isEvidenceReadable,
} from './codec.ts'
export { type Evidence, newEvidence } from './evidence-state.ts'

/** An event that counts: accepted, and not quarantined. */
export interface CountedEvent {
  readonly type: EventType
  readonly data: EventData
  /** Id of the reporter. */
  readonly reporter: string
  /** A tenth of the weight: the agent itself, its owner, or a platform that its owner runs. */
  readonly self: boolean
  /** How established the reporter was when the event was received: 1, ½ (provisional) or less.
   *  Default 1. */
  readonly reporterWeight?: number
  /** How much of the event counts, 0 to 1: of a credential less where it is not the first of its
   *  issuer, of any event less after reviews found against the reporter. Default 1. */
  readonly share?: number
  /** Logarithm of the odds by which such work is harder than usual. Default 0. */
  readonly hardness?: number
  /** Milliseconds since 1970, the time of receipt. Events are folded in the order of receipt. */
  readonly at: number
}

/** An event of a log as it is folded. */
export function countedEvent(event: LoggedEvent): CountedEvent {
  const { type, data, reporter, self, reporterWeight, share, hardness, createdAt: at } = event
  return { type, data, reporter: reporter.id, self, reporterWeight, share, hardness, at }
}

/** The evidence with one event more. One dated before the last counts at the time of the last. */
export function addEvent(model: Model, evidence: Evidence, event: CountedEvent): Evidence {
  const draft = mutableCopy(evidence)
  add(model, draft, event)
  return draft
}

/** The evidence with all events more, in their order: addEvent for each, copied but once. */
export function foldEvents(
  model: Model,
  evidence: Evidence,
  events: Iterable<CountedEvent>,
): Evidence {
  const draft = mutableCopy(evidence)
  for (const event of events) {
    add(model, draft, event)
  }
  return draft
}

function add(model: Model, draft: MutableEvidence, event: CountedEvent): void {
  advanceTo(model, draft, event.at)
  if (event.self) {
    draft.selfCount += 1
  }
  const { dimension } = EVENT_TYPES[event.type]
  switch (dimension) {
    case 'reliability':
      draft.reliabilityCount += 1
      addReport(model, draft, event, dimension)
      break
    case 'financial':
      draft.financialCount += 1
      addReport(model, draft, event, dimension)
      break
    case 'identity':
      draft.identityCount += 1
      addCredential(model, draft, event)
  }
}

function addReport(
  model: Model,
  draft: MutableEvidence,
  event: CountedEvent,
  dimension: SourceReport['dimension'],
): void {
  const { type, data, share = 1, hardness = 0 } = event
  const observed = share * observationOf(model, type, data)
  const observation = atHardness(model, observed, hardness)
  const usd = dimension === 'financial' ? amountUsd(data) : 0
  const report = {
    dimension,
    observation,
    weight: event.reporterWeight ?? 1,
    activeDays: draft.activeDays,
    carried: usd > 0 ? log2(1 + usd) : 0,
    taskClass: EVENT_TYPES[type].data === 'task' ? data.taskClass : undefined,
    party: data.counterparty === undefined ? undefined : partyOf(model, data.counterparty),
  }
  if (event.self) {
    const own = { ...report, observation: model.selfWeight * observation }
    draft.self = withReport(model, draft.self, shared(model, own))
    return
  }
  countOutcome(model, draft, event, observed)
  addToSource(model, draft, event.reporter, report)
  if (observation > 0) {
    draft.activeToday = 1
    if (draft.firstDay < 0) {
      draft.firstDay = dayOf(draft.at)
    }
  }
}

/** Reporters that share a vote: classes and counterparties are counted for votes of one reporter only. */
function shared(model: Model, report: SourceReport): SourceReport {
  return { ...report, weight: model.crowdWeight, taskClass: undefined, party: undefined }
}

function addToSource(
  model: Model,
  draft: MutableEvidence,
  reporter: string,
  report: SourceReport,
): void {
  const place = placeOf(model, draft.sources, reporter, report.weight)
  if (place === null) {
    draft.crowd = withReport(model, draft.crowd, shared(model, report))
    return
  }
  const sources = draft.sources.slice()
  const before = sources[place] ?? { ...NO_TOTALS, reporter }
  sources[place] = withReport(model, before, report)
  draft.sources = sources
}

/** Where a reporter's own vote is or is to be; null for one that shares a vote with others. */
function placeOf(
  model: Model,
  sources: readonly Source[],
  reporter: string,
  weight: number,
): number | null {
  if (weight < model.ownVoteWeightMin) {
    return null
  }
  let provisional = 0
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Source
    if (source.reporter === reporter) {
      return i
    }
    if (source.positiveWeightMax < 1 && source.negativeWeightMax < 1) {
      provisional += 1
    }
  }
  if (sources.length >= model.platformsMax) {
    return null
  }
  return weight < 1 && provisional >= model.provisionalMax ? null : sources.length
}

/** For the forecast every report counts as one, or as its share of one. */
function countOutcome(
  model: Model,
  draft: MutableEvidence,
  { type, share = 1 }: CountedEvent,
  observed: number,
): void {
  const { tasks, upkeep, payments } = draft.outcomeCounts
  const isGood = observed > 0
  switch (EVENT_TYPES[type].data) {
    case 'task':
      draft.outcomeCounts = { tasks: addOutcome(model, tasks, isGood, share), upkeep, payments }
      break
    case 'payment':
      draft.outcomeCounts = { tasks, upkeep, payments: addOutcome(model, payments, isGood, share) }
      break
    case 'uptime':
    case 'error':
      draft.outcomeCounts = { tasks, upkeep: addOutcome(model, upkeep, isGood, share), payments }
      break
    case 'credential':
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
    draft.claimed = Math.max(0, draft.claimed - share)
    draft.withdrawn = Math.min(model.ownCredentialsMax, draft.withdrawn + share)
  } else {
    draft.verified = Math.max(0, draft.verified - verified)
    draft.revoked = Math.min(model.revokedMax, draft.revoked + verified)
  }
}

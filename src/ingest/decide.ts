import type { RecordedEvent } from '../domain/agent.ts'
import { forbidden, modeMismatch, notFound, TrustError } from '../domain/error.ts'
import { modeOf } from '../domain/mode.ts'
import type { Model } from '../domain/model.ts'
import type { RuleSettings } from '../fraud/rules.ts'
import { type AgentState, externalKey, type IngestView } from '../store/store.ts'
import {
  agentStateIn,
  type BatchState,
  type EventWrites,
  knownEventIn,
  newBatchState,
  writesOf,
} from './batch-state.ts'
import { continuePast } from './continue-past.ts'
import { isSame } from './digest.ts'
import type { Fold } from './fold.ts'
import { type HourlyLimits, hourlyRefusal } from './hourly-limit.ts'
import { recordEvent } from './record-event.ts'
import {
  type ContentDigest,
  type EventOutcome,
  externalNameOf,
  isLimited,
  type Report,
  type ReportOutcome,
} from './report.ts'

/** The inputs of a decision besides the view: all are values, except the source of ids. */
export interface Given {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly newId: () => string
  readonly model: Model
  readonly limits: IngestLimits
  /** The anti-fraud rules as they are applied here. */
  readonly settings: RuleSettings
  /** How events under the same external name are distinguished. */
  readonly contentDigest: ContentDigest
  /** How an event that counts is added to what is known of its agent. */
  readonly fold: Fold
}

export interface IngestLimits extends HourlyLimits {
  /** How far back `occurredAt` may lie. */
  readonly occurredAtDays: number
}

export interface Decision {
  /** One for each report, in their order. */
  readonly outcomes: readonly ReportOutcome[]
  readonly writes: EventWrites
}

/**
 * Decides on the events of many reports, one after the other, as if each had come alone: accepts or
 * refuses, inspects, folds, scores, notifies. Pure, so it may run again on another view.
 */
export function decide(view: IngestView, reports: readonly Report[], given: Given): Decision {
  const state = newBatchState(view)
  const outcomes = reports.map((report) => decideReport(state, report, given))
  return { outcomes, writes: writesOf(state) }
}

/** Decides on one report, and adds to the batch what follows from it. */
export function decideReport(state: BatchState, report: Report, given: Given): ReportOutcome {
  const agentState = agentStateIn(state, report.agentId)
  const refusal =
    modeRefusal(report) ?? (agentState ? statusRefusal(agentState, report) : notFound('agent'))
  if (refusal) {
    return { refusal }
  }
  const events: EventOutcome[] = []
  for (let index = 0; index < report.events.length; index++) {
    events.push(decideEvent(state, report, index, given))
  }
  return { events }
}

/** The one place that every report passes: no platform of one mode moves a score of the other. */
function modeRefusal({ agentId, reporter }: Report): TrustError | null {
  const mode = modeOf(reporter.id)
  if (reporter.kind !== 'platform' || modeOf(agentId) === mode) {
    return null
  }
  const key = mode === 'live' ? 'test key (avp_test_…)' : 'live key (avp_…)'
  return modeMismatch(mode, `report with the platform's ${key}`)
}

function statusRefusal(
  { status, successorId }: AgentState,
  { reporter, isSystemEvent }: Report,
): TrustError | null {
  if (isSystemEvent) {
    return null
  }
  if (status === 'deactivated') {
    const reason = 'agent_deactivated'
    return successorId === null
      ? forbidden('this agent is deactivated; events about it are refused', { reason })
      : forbidden('this agent was replaced; report on its successor', { reason, successorId })
  }
  // A platform may still report on a suspended agent; the agent itself may not.
  if (status === 'suspended' && reporter.kind !== 'platform') {
    return forbidden('this agent is suspended; it cannot report', { reason: 'agent_suspended' })
  }
  return null
}

function decideEvent(state: BatchState, report: Report, index: number, given: Given): EventOutcome {
  const input = report.events[index]
  if (!input) {
    throw new Error(`a report has no event ${index}`)
  }
  const name = externalNameOf(report, index)
  const { externalId = null } = input
  const at = externalId === null ? (report.past?.at ?? null) : null
  const digest = name === null ? null : given.contentDigest(report.agentId, input, at)
  const key =
    name === null
      ? null
      : externalKey({ reporterId: report.reporter.id, agentId: report.agentId, externalId: name })
  const known = key === null ? undefined : knownEventIn(state, key)
  if (known) {
    return isSame(known.digest, digest)
      ? { event: known.event, isNew: false }
      : { refusal: nameTaken(externalId, known.event) }
  }
  const agentState = readyState(state, report, given)
  if (agentState instanceof TrustError) {
    return { refusal: agentState }
  }
  const event = recordEvent(state, { agentState, report, input }, given)
  state.events.push({ event, name, digest })
  if (key !== null && digest) {
    state.known.set(key, { event, digest })
  }
  return { event, isNew: true }
}

/** The agent's state for one more event, or why there can be none. */
function readyState(state: BatchState, report: Report, given: Given): AgentState | TrustError {
  const { agentId, reporter, isSystemEvent = false, past } = report
  const refusal = past && !isSystemEvent ? continuePast(state, agentId, past.at, given.model) : null
  if (refusal) {
    return refusal
  }
  const agentState = agentStateIn(state, agentId)
  if (!agentState) {
    throw new Error(`a report about ${agentId}, which is not in the view, is not refused`)
  }
  return (
    (isLimited(report) ? hourlyRefusal(state, agentState, reporter, given) : null) ?? agentState
  )
}

/** An event that is known by the name of its request is a line of a past: a signature signs one content only. */
function nameTaken(externalId: string | null, event: RecordedEvent): TrustError {
  return new TrustError(
    'CONFLICT',
    externalId === null
      ? 'a past with this name has another event in this line already; import this one under another name'
      : `externalId ${externalId} names another event already; its content differs`,
    { ...(externalId !== null && { externalId }), eventId: event.id },
  )
}

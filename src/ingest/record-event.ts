import { PENDING_REVIEW, type RecordedEvent } from '../domain/agent.ts'
import { childReport, movesCeiling, shareForParent } from '../domain/delegation.ts'
import { isReported } from '../domain/event.ts'
import type { Model } from '../domain/model.ts'
import { eventNotifications, scoreNotifications } from '../domain/notification.ts'
import { lowersStarts } from '../domain/start.ts'
import { copyShare } from '../fraud/copies.ts'
import { credentialShare } from '../fraud/credential-types.ts'
import { shareAfterReviews } from '../fraud/reporter-stats.ts'
import type { InspectedEvent, RuleInput } from '../fraud/rule.ts'
import { type Inspection, inspect } from '../fraud/rules.ts'
import { handOverProfile, updateProfile } from '../fraud/update-profile.ts'
import type { AgentState } from '../store/store.ts'
import {
  type BatchState,
  type OwnedAgentState,
  ownAgentState,
  reporterStatsIn,
} from './batch-state.ts'
import type { Given } from './decide.ts'
import { countInHours } from './hourly-limit.ts'
import { inspectedEvent, type TakenEvent } from './inspect.ts'
import { isLimited, type Report } from './report.ts'
import { hasText } from './text-commitment.ts'
import { type Weighed, weigh } from './weigh.ts'

/**
 * Inspects an event and, unless it is quarantined, folds it; adds to the batch all that follows. The event is judged by
 * the behaviour profile before it, and weighed by the profile after it and the evidence before it.
 */
export function recordEvent(
  state: BatchState,
  { agentState, report, input }: TakenEvent,
  given: Given,
): RecordedEvent {
  const own = ownAgentState(state, agentState)
  if (given.limits.rateLimits && isLimited(report)) {
    countInHours(state, own, report.reporter, given.now)
  }
  const inspected = inspectedEvent(state, { agentState: own, report, input }, given)
  const { inspection, share, isQuarantined } = judge(state, own, inspected, given)
  if (isReported(inspected.type)) {
    updateProfile(own.profile, inspected, isQuarantined)
  } else {
    handOverProfile(own.profile, inspected.type)
  }
  const { ofChild } = report
  const weighing = { state, model: given.model, report, event: inspected, agentState: own }
  const event = newEvent(report, inspected, inspection, {
    id: given.newId(),
    salt: hasText(inspected.data) ? given.newId() : null,
    seq: own.seq + 1,
    share: ofChild
      ? shareForParent(given.model, own.evidence, { ...ofChild, reporter: report.reporter })
      : share,
    weighed: ofChild ?? weigh(weighing, isQuarantined),
  })
  if (isNotified(state, own.ownerId, event)) {
    state.notifications.push(...eventNotifications(own.ownerId, event))
  }
  if (isQuarantined) {
    own.quarantinedCount += 1
  } else {
    count(state, own, event, given)
    // The event is new: nothing else refers to it yet.
    event.chain = own.chain
  }
  own.seq = event.seq
  own.updatedAt = event.createdAt
  return event
}

interface Judgement {
  readonly inspection: Inspection
  readonly isQuarantined: boolean
  /** How much of the report counts, 0 to 1. */
  readonly share: number
}

/** Judges an event by what was known before it. Handovers and limits are the service's own records: nothing to inspect. */
function judge(
  state: BatchState,
  { profile }: OwnedAgentState,
  event: InspectedEvent,
  { model, settings }: Given,
): Judgement {
  const seen = { event, profile, reporter: reporterStatsIn(state, event.reporter.id) }
  const inspection = isReported(event.type) ? inspect(seen, settings) : NOTHING_FOUND
  return { inspection, isQuarantined: inspection.flags.length > 0, share: shareOf(model, seen) }
}

const NOTHING_FOUND: Inspection = { flags: [], reason: null, findings: [] }

/** How much of a report counts, 0 to 1. */
function shareOf(model: Model, { event, profile, reporter }: RuleInput): number {
  const afterReviews = event.self ? 1 : shareAfterReviews(reporter)
  return credentialShare(model, profile, event) * copyShare(profile, event) * afterReviews
}

/** Most owners have no webhook, and a notification is as large as the event. Imported events notify no one. */
function isNotified({ view }: BatchState, ownerId: string, { importedAt }: RecordedEvent): boolean {
  return importedAt === null && view.ownersWithSubscribers.has(ownerId)
}

type Chainable = Omit<RecordedEvent, 'chain'> & { chain: Uint8Array | null }

interface Recorded {
  readonly id: string
  readonly salt: string | null
  readonly seq: number
  readonly share: number
  readonly weighed: Weighed
}

function newEvent(
  { agentId, attestation, past }: Report,
  { type, data, occurredAt, at, reporter, self, externalId }: InspectedEvent,
  { flags, reason, findings }: Inspection,
  { id, salt, seq, share, weighed }: Recorded,
): Chainable {
  const isQuarantined = flags.length > 0
  // A task of an earlier release names no voter.
  const { voter = null, reporterWeight, hardness } = weighed
  return {
    id,
    agentId,
    seq,
    type,
    data,
    occurredAt,
    createdAt: at,
    reporter,
    self,
    voter,
    reporterWeight,
    share,
    hardness,
    externalId,
    importedAt: past?.importedAt ?? null,
    fraudFlags: flags,
    quarantineReason: reason,
    isQuarantined,
    findings,
    attestationVerified: attestation === 'valid',
    review: isQuarantined ? PENDING_REVIEW : null,
    salt,
    chain: null,
  }
}

/** Folds an event that counts, and notes what its new score brings about. */
function count(state: BatchState, own: OwnedAgentState, event: RecordedEvent, given: Given): void {
  const { agentId, ownerId, credentialFloor } = own
  const { score: previousScore, isDisputed: wasDisputed } = own
  const snapshot = given.fold(own, event, given)
  const newScore = own.score
  if (newScore < credentialFloor) {
    state.scoreDrops.push({ agentId, score: newScore, at: event.createdAt })
  }
  delegateReport(state, own, event, given)
  delegateLimits(state, own, previousScore, event)
  if (snapshot) {
    state.snapshots.push(snapshot)
    if (isNotified(state, ownerId, event)) {
      const { disputed, exposureLimit, trigger: triggeredBy, createdAt } = snapshot
      const scores = { previousScore, newScore, wasDisputed, disputed, exposureLimit }
      const move = { agentId, ownerId, ...scores, triggeredBy, createdAt }
      state.notifications.push(...scoreNotifications(move))
    }
  }
}

/** Adds a bad report of a child to what its parents are to be given. */
function delegateReport(
  state: BatchState,
  { parentId, agentId, evidence }: AgentState,
  event: RecordedEvent,
  { model }: Given,
): void {
  const report = parentId === null ? null : childReport(model, evidence, event)
  if (report) {
    state.delegated.push({ agentId, report })
  }
}

/** Adds a task where the new score limits other agents: its children, or those in reserve of its owner. */
function delegateLimits(
  state: BatchState,
  { isParent, agentId, score, evidence }: AgentState,
  previousScore: number,
  { type }: RecordedEvent,
): void {
  // What a limit does to a score is what another score did before.
  const lowers = type !== 'agent.limited' && lowersStarts(evidence, previousScore, score)
  const limits = lowers || (isParent && movesCeiling(previousScore, score))
  if (limits && !isDelegated(state, agentId)) {
    state.delegated.push({ agentId, report: null })
  }
}

/** The task reads the score that the batch leaves, so one is enough for all of its events. */
function isDelegated({ delegated }: BatchState, agentId: string): boolean {
  return delegated.some((task) => task.report === null && task.agentId === agentId)
}

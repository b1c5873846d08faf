import { PENDING_REVIEW, type RecordedEvent } from '../domain/agent.ts'
import { childReport, movesCeiling } from '../domain/delegation.ts'
import { isReported } from '../domain/event.ts'
import { eventNotifications, scoreNotifications } from '../domain/notification.ts'
import { credentialShare } from '../fraud/kinds.ts'
import { shareAfterReviews } from '../fraud/reporter-stats.ts'
import type { InspectedEvent } from '../fraud/rule.ts'
import { inspect, type Verdict } from '../fraud/rules.ts'
import { updateProfile } from '../fraud/update-profile.ts'
import type { AgentState } from '../store/store.ts'
import { type BatchState, reporterStatsIn } from './batch-state.ts'
import type { Given } from './decide.ts'
import type { Folded } from './fold.ts'
import { inspectedEvent } from './inspect.ts'
import type { Report, ReportedEvent } from './report.ts'
import { hasText } from './text-commitment.ts'
import { type Weighed, weigh } from './weigh.ts'

/** An event that is not refused. */
export interface TakenEvent {
  readonly agentState: AgentState
  readonly report: Report
  readonly input: ReportedEvent
  /** The hours of the agent's reporters, the event counted. */
  readonly hours: AgentState['reporterHours']
}

/** Inspects an event and, unless it is quarantined, folds it; adds to the batch all that follows. */
export function recordEvent(
  state: BatchState,
  { agentState, report, input, hours }: TakenEvent,
  given: Given,
): RecordedEvent {
  const inspected = inspectedEvent(state, report, input, agentState, given)
  const seen = {
    event: inspected,
    profile: agentState.profile,
    reporter: reporterStatsIn(state, report.reporter.id),
  }
  const isSuspect = isReported(inspected.type)
  const verdict = isSuspect ? inspect(seen, given.settings) : NOTHING_FOUND
  const isQuarantined = verdict.flags.length > 0
  const profile = isSuspect
    ? updateProfile(agentState.profile, inspected, isQuarantined)
    : agentState.profile
  const { ofChild } = report
  const share =
    ofChild?.share ??
    credentialShare(agentState.profile, inspected) *
      (inspected.self ? 1 : shareAfterReviews(seen.reporter))
  const weighing = { agentState, profile, isQuarantined }
  const event = newEvent(report, inspected, verdict, {
    id: given.newId(),
    salt: hasText(inspected.data) ? given.newId() : null,
    seq: agentState.seq + 1,
    share,
    weighed: ofChild ?? weigh(state, given.model, report, inspected, weighing),
  })
  const { ownerId } = agentState
  if (isNotified(state, ownerId, event)) {
    state.notifications.push(...eventNotifications(ownerId, event))
  }
  const folded = isQuarantined ? null : count(state, agentState, event, given)
  if (folded) {
    // The event is new: nothing else refers to it yet.
    event.chain = folded.chain
  }
  state.agentStates.set(event.agentId, stateAfter(agentState, event, { profile, hours, folded }))
  return event
}

/** Most owners have no webhook, and a notification is as large as the event. Imported events notify no one. */
function isNotified({ view }: BatchState, ownerId: string, { importedAt }: RecordedEvent): boolean {
  return importedAt === null && view.ownersWithSubscribers.has(ownerId)
}

/** Spelt out, as below: to spread objects of this size several times takes as long as all the rest. */
function stateAfter(
  before: AgentState,
  { seq, createdAt }: RecordedEvent,
  {
    profile,
    hours,
    folded,
  }: Pick<AgentState, 'profile'> & Pick<TakenEvent, 'hours'> & { readonly folded: Folded | null },
): AgentState {
  const published = folded ?? before
  return {
    agentId: before.agentId,
    ownerId: before.ownerId,
    status: before.status,
    evidence: folded ? folded.evidence : before.evidence,
    profile,
    score: published.score,
    isDisputed: published.isDisputed,
    snapshots: published.snapshots,
    seq,
    chain: folded ? folded.chain : before.chain,
    quarantinedCount: before.quarantinedCount + (folded ? 0 : 1),
    correctedAt: before.correctedAt,
    reporterHours: hours,
    credentialFloor: before.credentialFloor,
    modelVersion: before.modelVersion,
    successorId: before.successorId,
    parentId: before.parentId,
    isParent: before.isParent,
    updatedAt: createdAt,
  }
}

/** What the service itself records is not suspect. */
const NOTHING_FOUND: Verdict = { flags: [], reason: null, findings: [] }

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
  { flags, reason, findings }: Verdict,
  { id, salt, seq, share, weighed: { reporterWeight, hardness } }: Recorded,
): Chainable {
  const isQuarantined = flags.length > 0
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
function count(state: BatchState, before: AgentState, event: RecordedEvent, given: Given): Folded {
  const folded = given.fold(before, event, given)
  const { agentId, ownerId, credentialFloor } = before
  const { score: previousScore, isDisputed: wasDisputed } = before
  const { snapshot, score: newScore } = folded
  if (newScore < credentialFloor) {
    state.scoreDrops.push({ agentId, score: newScore, at: event.createdAt })
  }
  delegate(state, before, folded, event, given)
  if (snapshot) {
    state.snapshots.push(snapshot)
    if (isNotified(state, ownerId, event)) {
      const { disputed, exposureLimit, trigger: triggeredBy, createdAt } = snapshot
      const scores = { previousScore, newScore, wasDisputed, disputed, exposureLimit }
      const move = { agentId, ownerId, ...scores, triggeredBy, createdAt }
      state.notifications.push(...scoreNotifications(move))
    }
  }
  return folded
}

/** Notes what its parents and its children are to learn of an event that counts. */
function delegate(
  state: BatchState,
  { parentId, isParent, agentId, score }: AgentState,
  folded: Folded,
  event: RecordedEvent,
  { model }: Given,
): void {
  const report = parentId === null ? null : childReport(model, folded.evidence, event)
  if (report) {
    state.delegated.push({ agentId, report })
  }
  if (isParent && movesCeiling(score, folded.score)) {
    state.delegated.push({ agentId, report: null })
  }
}

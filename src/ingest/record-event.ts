import { PENDING_REVIEW, type RecordedEvent } from '../domain/agent.ts'
import { eventNotifications, scoreNotifications } from '../domain/notification.ts'
import { credentialShare } from '../fraud/kinds.ts'
import { shareAfterReviews } from '../fraud/reporter-stats.ts'
import type { InspectedEvent } from '../fraud/rule.ts'
import { inspect, type Verdict } from '../fraud/rules.ts'
import { updateProfile } from '../fraud/update-profile.ts'
import type { AgentState } from '../store/store.ts'
import { agentStateIn, type BatchState, reporterStatsIn } from './batch-state.ts'
import type { Given } from './decide.ts'
import { foldEvent } from './fold.ts'
import { inspectedEvent } from './inspect.ts'
import type { Report, ReportedEvent } from './report.ts'
import { type Weighed, weigh } from './weigh.ts'

/** Inspects an event and, unless it is quarantined, folds it; adds to the batch all that follows. */
export function recordEvent(
  state: BatchState,
  report: Report,
  input: ReportedEvent,
  given: Given,
): RecordedEvent {
  const { agentId, reporter } = report
  const agentState = agentStateIn(state, agentId)
  if (!agentState) {
    throw new Error(`an event was accepted for ${agentId}, which is not in the view`)
  }
  const inspected = inspectedEvent(state, report, input, agentState, given)
  const seen = {
    event: inspected,
    profile: agentState.profile,
    reporter: reporterStatsIn(state, reporter.id),
  }
  const verdict = inspect(seen, given.settings)
  const isQuarantined = verdict.flags.length > 0
  const profile = updateProfile(agentState.profile, inspected, isQuarantined)
  const weighing = { agentState, profile, isQuarantined }
  const event = newEvent(report, inspected, verdict, {
    id: given.newId(),
    seq: agentState.seq + 1,
    share:
      credentialShare(agentState.profile, inspected) *
      (inspected.self ? 1 : shareAfterReviews(seen.reporter)),
    ...weigh(state, given.model, report, inspected, weighing),
  })
  if (!report.past) {
    state.notifications.push(...eventNotifications(agentState.ownerId, event))
  }
  const before = { ...agentState, profile, seq: event.seq, updatedAt: inspected.at }
  const after = isQuarantined ? quarantine(before) : count(state, before, event, given)
  state.agentStates.set(agentId, after)
  return isQuarantined ? event : { ...event, chain: after.chain }
}

function newEvent(
  { agentId, attestation, past }: Report,
  { type, data, occurredAt, at, reporter, self, externalId }: InspectedEvent,
  { flags, reason, findings }: Verdict,
  recorded: Pick<RecordedEvent, 'id' | 'seq' | 'share'> & Weighed,
): RecordedEvent {
  const isQuarantined = flags.length > 0
  return {
    ...recorded,
    agentId,
    type,
    data,
    occurredAt,
    createdAt: at,
    reporter,
    self,
    externalId,
    importedAt: past?.importedAt ?? null,
    fraudFlags: flags,
    quarantineReason: reason,
    isQuarantined,
    attestationVerified: attestation === 'valid',
    review: isQuarantined ? PENDING_REVIEW : null,
    chain: null,
    findings,
  }
}

function quarantine(agentState: AgentState): AgentState {
  return { ...agentState, quarantinedCount: agentState.quarantinedCount + 1 }
}

/** Folds an event that counts, and notes what its new score brings about. */
function count(
  state: BatchState,
  before: AgentState,
  event: RecordedEvent,
  { model, newId }: Given,
): AgentState {
  const { agentState, snapshot } = foldEvent(model, before, event, newId)
  const {
    agentId,
    ownerId,
    score: previousScore,
    isDisputed: wasDisputed,
    credentialFloor,
  } = before
  if (agentState.score < credentialFloor) {
    state.scoreDrops.push({ agentId, score: agentState.score, at: event.createdAt })
  }
  if (snapshot) {
    const { score: newScore, disputed, exposureLimit, trigger: triggeredBy, createdAt } = snapshot
    const scores = { previousScore, newScore, wasDisputed, disputed, exposureLimit }
    const move = { agentId, ownerId, ...scores, triggeredBy, createdAt }
    state.snapshots.push(snapshot)
    if (event.importedAt === null) {
      state.notifications.push(...scoreNotifications(move))
    }
  }
  return agentState
}

import { EVENT_TYPES } from '../domain/event.ts'
import { findCollusionRing } from '../fraud/endorsements.ts'
import { type BehaviourProfile, DAY_MS, dayOf, knownReporter } from '../fraud/profile.ts'
import { addReport } from '../fraud/reporter-stats.ts'
import type { InspectedEvent, Ring } from '../fraud/rule.ts'
import type { AgentState } from '../store/store.ts'
import { type BatchState, endorse, reporterStatsIn } from './batch-state.ts'
import type { Given } from './decide.ts'
import type { Report, ReportedEvent } from './report.ts'

/** An event as the rules see it. */
export function inspectedEvent(
  state: BatchState,
  report: Report,
  input: ReportedEvent,
  agentState: AgentState,
  { now, policy }: Given,
): InspectedEvent {
  const { reporter, attestation, attestationProblem = null } = report
  // The events of an agent never go back in time, whatever the clock does.
  const at = Math.max(now, agentState.updatedAt)
  const self = reporter.kind !== 'platform' || report.reporterOwnerId === agentState.ownerId
  return {
    type: input.type,
    impact: EVENT_TYPES[input.type].impact,
    data: input.data ?? {},
    reporter,
    self,
    occurredAt: input.occurredAt ?? at,
    occurredAtGiven: input.occurredAt !== undefined,
    oldestAt: at - policy.occurredAtDays * DAY_MS,
    externalId: input.externalId ?? null,
    attestation,
    attestationProblem,
    ring: self ? null : ringClosed(state, report, agentState),
    ownerId: agentState.ownerId,
    at,
  }
}

/** The ring of owners that this report closes, where platforms of owners praise each other. */
function ringClosed(
  { endorsements }: BatchState,
  { reporterOwnerId }: Report,
  { ownerId }: AgentState,
): Ring | null {
  return reporterOwnerId === null ? null : findCollusionRing(endorsements, reporterOwnerId, ownerId)
}

interface Inspected {
  readonly profile: BehaviourProfile
  readonly isQuarantined: boolean
}

/** Adds a report to its platform's statistics, and to what its owner says of the agent's owner. */
export function updateReporters(
  state: BatchState,
  { reporter, reporterOwnerId }: Report,
  event: InspectedEvent,
  { profile, isQuarantined }: Inspected,
): void {
  if (reporter.kind !== 'platform') {
    return
  }
  const { ownerId } = event
  const known = knownReporter(profile, reporter.id)
  const today = known?.day === dayOf(event.at) ? known.today : 1
  const report = { ownerId, today, isQuarantined }
  state.reporters.set(reporter.id, addReport(reporterStatsIn(state, reporter.id), report))
  if (reporterOwnerId === null || event.self) {
    return
  }
  const good = event.impact === 'positive' ? 1 : 0
  endorse(state, { fromOwner: reporterOwnerId, toOwner: ownerId, good, bad: 1 - good })
}

import { LOG_TYPES } from '../domain/event.ts'
import { impactOf } from '../domain/event-weight.ts'
import type { Model } from '../domain/model.ts'
import { DAY_MS } from '../domain/time.ts'
import type { InspectedEvent } from '../fraud/rule.ts'
import type { AgentState } from '../store/store.ts'
import type { BatchState } from './batch-state.ts'
import type { Given } from './decide.ts'
import type { Report, ReportedEvent } from './report.ts'
import { weightNow } from './weigh.ts'

/** An event that is not refused. */
export interface TakenEvent {
  readonly agentState: AgentState
  readonly report: Report
  readonly input: ReportedEvent
}

/** An event as the rules see it. */
export function inspectedEvent(
  state: BatchState,
  { agentState, report, input }: TakenEvent,
  { now, model, limits }: Given,
): InspectedEvent {
  const { reporter, attestation, attestationProblem = null, isSystemEvent = false } = report
  const { type, data = {} } = input
  // The times of an agent’s events never decrease, even if the clock does.
  const at = Math.max(report.past?.at ?? now, agentState.updatedAt)
  return {
    type,
    impact: impactOf(model, type, data),
    data,
    reporter,
    self: isOwnSide(report, agentState),
    occurredAt: input.occurredAt ?? at,
    occurredAtGiven: input.occurredAt !== undefined,
    oldestAt: at - limits.occurredAtDays * DAY_MS,
    externalId: input.externalId ?? null,
    attestation,
    attestationProblem,
    credential: livingCredential(state, data.credentialId, agentState.agentId, at),
    needsCredential: !isSystemEvent,
    issuer: LOG_TYPES[type].dimension === 'identity' ? issuerOf(state, report, model) : reporter.id,
    ownerId: agentState.ownerId,
    at,
  }
}

/** The agent, its owner, or a platform that its owner runs. */
function isOwnSide({ reporter, reporterOwnerId }: Report, { ownerId }: AgentState): boolean {
  return reporter.kind === 'platform' ? reporterOwnerId === ownerId : reporter.kind !== 'system'
}

/** In whose name a credential counts: as a vote would. */
function issuerOf(state: BatchState, report: Report, model: Model): string {
  const { reporter, reporterOwnerId } = report
  const isShared = reporter.kind === 'platform' && weightNow(state, report) < model.ownVoteWeightMin
  return isShared ? '' : (reporterOwnerId ?? reporter.id)
}

function livingCredential(
  { view }: BatchState,
  id: string | undefined,
  agentId: string,
  at: number,
): InspectedEvent['credential'] {
  const found = id === undefined ? undefined : view.credentials.get(id)
  if (found?.agentId !== agentId || (found.expiresAt !== null && found.expiresAt <= at)) {
    return null
  }
  return { type: found.type }
}

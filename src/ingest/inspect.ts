import type { EventInput } from '../api/events/schema.ts'
import type { Policy } from '../context.ts'
import { EVENT_TYPES } from '../domain/event.ts'
import { addEndorsement, type Endorsement, findCollusionRing } from '../fraud/endorsements.ts'
import { type BehaviourProfile, DAY_MS, dayOf, knownReporter } from '../fraud/profile.ts'
import { addReport, NO_REPORTS } from '../fraud/reporter-stats.ts'
import type { InspectedEvent, Ring } from '../fraud/rule.ts'
import type { AgentState } from '../store/store.ts'
import type { BatchState } from './draft.ts'
import type { Submission } from './submission.ts'

/** An event as the rules get to see it. */
export function inspectedOf(
  draft: BatchState,
  submission: Submission,
  input: EventInput,
  { agentState, at, policy }: { agentState: AgentState; at: number; policy: Policy },
): InspectedEvent {
  const { reporter, attestation, attestationProblem = null } = submission
  const self = reporter.kind !== 'platform' || submission.reporterOwnerId === agentState.ownerId
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
    ring: self ? null : ringClosed(draft, submission, agentState),
    ownerId: agentState.ownerId,
    at,
  }
}

/** The ring of owners that this report closes, if the platform's owner praises and is praised. */
function ringClosed(
  { endorsements }: BatchState,
  { reporterOwnerId }: Submission,
  { ownerId }: AgentState,
): Ring | null {
  return reporterOwnerId === null ? null : findCollusionRing(endorsements, reporterOwnerId, ownerId)
}

/** Remembers of the platform what it reported, and of its owner of whom. */
export function updateReporterStats(
  draft: BatchState,
  { reporter, reporterOwnerId }: Submission,
  event: InspectedEvent,
  {
    profile,
    isQuarantined,
  }: { readonly profile: BehaviourProfile; readonly isQuarantined: boolean },
): void {
  if (reporter.kind !== 'platform') {
    return
  }
  const { ownerId } = event
  const voice = knownReporter(profile, reporter.id)
  const today = voice?.day === dayOf(event.at) ? voice.today : 1
  const record = draft.reporters.get(reporter.id) ?? NO_REPORTS
  draft.reporters.set(reporter.id, addReport(record, { ownerId, today, held: isQuarantined }))
  draft.reported.add(reporter.id)
  if (reporterOwnerId === null || event.self) {
    return
  }
  const good = event.impact === 'positive' ? 1 : 0
  const endorsement: Endorsement = {
    fromOwner: reporterOwnerId,
    toOwner: ownerId,
    good,
    bad: 1 - good,
  }
  draft.endorsements = addEndorsement(draft.endorsements, endorsement)
  draft.newEndorsements = addEndorsement(draft.newEndorsements, endorsement)
}

import { EVENT_TYPES } from '../../core/events.ts'
import { DAY_MS, dayOf, type Habits, voiceOf } from '../../fraud/habits.ts'
import { addReport, NO_RECORD } from '../../fraud/reporter.ts'
import type { InspectedEvent, Ring } from '../../fraud/rule.ts'
import { addVouch, ringOf, type Vouch } from '../../fraud/vouch.ts'
import type { Standing } from '../../store/store.ts'
import type { Policy } from '../context.ts'
import type { Draft } from './draft.ts'
import type { EventInput } from './schema.ts'
import type { Submission } from './submission.ts'

/** An event as the rules get to see it. */
export function inspectedOf(
  draft: Draft,
  submission: Submission,
  input: EventInput,
  { standing, at, policy }: { standing: Standing; at: number; policy: Policy },
): InspectedEvent {
  const { reporter, attestation, attestationProblem = null } = submission
  const self = reporter.kind !== 'platform' || submission.reporterOwnerId === standing.ownerId
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
    ring: self ? null : ringClosed(draft, submission, standing),
    ownerId: standing.ownerId,
    at,
  }
}

/** The ring of owners that this report closes, if the platform's owner praises and is praised. */
function ringClosed(
  { vouches }: Draft,
  { reporterOwnerId }: Submission,
  { ownerId }: Standing,
): Ring | null {
  return reporterOwnerId === null ? null : ringOf(vouches, reporterOwnerId, ownerId)
}

/** Remembers of the platform what it reported, and of its owner of whom. */
export function noteReporter(
  draft: Draft,
  { reporter, reporterOwnerId }: Submission,
  event: InspectedEvent,
  { habits, isQuarantined }: { readonly habits: Habits; readonly isQuarantined: boolean },
): void {
  if (reporter.kind !== 'platform') return
  const { ownerId } = event
  const voice = voiceOf(habits, reporter.id)
  const today = voice?.day === dayOf(event.at) ? voice.today : 1
  const record = draft.reporters.get(reporter.id) ?? NO_RECORD
  draft.reporters.set(reporter.id, addReport(record, { ownerId, today, held: isQuarantined }))
  draft.reported.add(reporter.id)
  if (reporterOwnerId === null || event.self) return
  const good = event.impact === 'positive' ? 1 : 0
  const vouch: Vouch = { fromOwner: reporterOwnerId, toOwner: ownerId, good, bad: 1 - good }
  draft.vouches = addVouch(draft.vouches, vouch)
  draft.newVouches = addVouch(draft.newVouches, vouch)
}

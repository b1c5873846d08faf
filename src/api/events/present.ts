import type { RecordedEvent } from '../../domain/agent.ts'
import { EVENT_TYPES, FULL_WEIGHT, SELF_WEIGHT } from '../../domain/event.ts'
import { time } from '../wire.ts'

export function presentEvent(event: RecordedEvent) {
  const { id, agentId, type, data, reporter, externalId } = event
  const { dimension, impact } = EVENT_TYPES[type]
  return {
    id,
    agentId,
    type,
    dimension,
    impact,
    data,
    occurredAt: time(event.occurredAt),
    createdAt: time(event.createdAt),
    isSelfReported: reporter.kind === 'agent',
    reporter,
    externalId,
    weight: event.self ? SELF_WEIGHT : FULL_WEIGHT * event.trust,
    fraudFlags: event.fraudFlags,
    isQuarantined: event.isQuarantined,
    quarantineReason: event.quarantineReason,
    attestationVerified: event.attestationVerified,
    review: event.review && presentReview(event.review),
  }
}

function presentReview({ status, decisions, appeal }: NonNullable<RecordedEvent['review']>) {
  return {
    status,
    decisions: decisions.map((decision) => ({ ...decision, decidedAt: time(decision.decidedAt) })),
    appeal: appeal && { statement: appeal.statement, createdAt: time(appeal.createdAt) },
  }
}

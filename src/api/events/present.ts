import type { RecordedEvent } from '../../domain/agent.ts'
import { type EventData, isHandover, isSelfReported, LOG_TYPES } from '../../domain/event.ts'
import { impactOf } from '../../domain/event-weight.ts'
import { MODEL } from '../../domain/model.ts'
import { time } from '../wire.ts'

export function presentEvent(event: RecordedEvent) {
  const { id, agentId, type, data, reporter, externalId } = event
  const { dimension } = LOG_TYPES[type]
  return {
    id,
    agentId,
    type,
    dimension,
    impact: impactOf(MODEL, type, data),
    data: isHandover(type) ? handoverOf(data) : data,
    occurredAt: time(event.occurredAt),
    createdAt: time(event.createdAt),
    isSelfReported: isSelfReported(event),
    reporter,
    externalId,
    imported: event.importedAt !== null,
    weight: event.self ? MODEL.selfWeight : 1,
    share: event.share,
    reporterWeight: event.reporterWeight,
    hardness: event.hardness,
    fraudFlags: event.fraudFlags,
    isQuarantined: event.isQuarantined,
    quarantineReason: event.quarantineReason,
    attestationVerified: event.attestationVerified,
    review: event.review && presentReview(event.review),
  }
}

/** Without the fields that only the fold needs. */
function handoverOf({ transferId, predecessorId, parentId, ceiling, platformId }: EventData) {
  return { transferId, predecessorId, parentId, ceiling, platformId }
}

function presentReview({ status, decisions, appeal }: NonNullable<RecordedEvent['review']>) {
  return {
    status,
    decisions: decisions.map((decision) => ({ ...decision, decidedAt: time(decision.decidedAt) })),
    appeal: appeal && { statement: appeal.statement, createdAt: time(appeal.createdAt) },
  }
}

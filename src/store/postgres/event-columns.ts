import type { EventFinding, LoggedEvent, RecordedEvent, Review } from '../../domain/agent.ts'
import type { EventData, EventType, ReporterKind } from '../../domain/event.ts'

export interface LoggedColumns {
  id: string
  agent_id: string
  seq: number
  type: EventType
  data: EventData
  created_at: number
  reporter_kind: ReporterKind
  reporter_id: string
  is_self_reported: boolean
  external_id: string | null
  is_quarantined: boolean
  review: Review | null
  chain: Buffer | null
  voter_id: string | null
  reporter_weight: number
  share: number
  hardness: number
  imported_at: number | null
  salt: string | null
}

export interface EventColumns extends LoggedColumns {
  occurred_at: number
  fraud_flags: string[]
  quarantine_reason: string | null
  attestation_verified: boolean
  findings: EventFinding[] | null
}

export const EVENT = `id, agent_id, seq, type, data, occurred_at, created_at, reporter_kind, reporter_id,
  is_self_reported, external_id, fraud_flags, quarantine_reason, is_quarantined, attestation_verified, review,
  chain, findings, voter_id, reporter_weight, share, hardness, imported_at, salt`

/** What folding an event takes. */
export const LOGGED = `id, agent_id, seq, type, data, created_at, reporter_kind, reporter_id, is_self_reported,
  external_id, is_quarantined, review, chain, voter_id, reporter_weight, share, hardness, imported_at, salt`

export function toEvent(row: EventColumns): RecordedEvent {
  return {
    ...toLoggedEvent(row),
    occurredAt: row.occurred_at,
    fraudFlags: row.fraud_flags,
    quarantineReason: row.quarantine_reason,
    attestationVerified: row.attestation_verified,
    findings: row.findings ?? [],
  }
}

export function toLoggedEvent(row: LoggedColumns): LoggedEvent {
  return {
    id: row.id,
    agentId: row.agent_id,
    seq: row.seq,
    type: row.type,
    data: row.data,
    createdAt: row.created_at,
    reporter: { kind: row.reporter_kind, id: row.reporter_id },
    self: row.is_self_reported,
    externalId: row.external_id,
    isQuarantined: row.is_quarantined,
    review: row.review,
    chain: row.chain,
    voter: row.voter_id,
    reporterWeight: row.reporter_weight,
    share: row.share,
    hardness: row.hardness,
    importedAt: row.imported_at,
    salt: row.salt,
  }
}

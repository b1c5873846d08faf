import type { RangeQuery, Timestamp } from './wire.ts'

export type Dimension = 'reliability' | 'financial' | 'identity'
export type EventType =
  | 'task.completed'
  | 'task.failed'
  | 'task.timeout'
  | 'payment.completed'
  | 'payment.failed'
  | 'payment.late'
  | 'payment.disputed'
  | 'uptime.report'
  | 'error.reported'
  | 'credential.issued'
  | 'credential.revoked'

export interface TaskData {
  /** Milliseconds. */
  readonly duration?: number | undefined
  readonly success?: boolean | undefined
  readonly errorCode?: string | undefined
}
export interface PaymentData {
  readonly amount?: number | undefined
  /** ISO 4217. */
  readonly currency?: string | undefined
  readonly daysLate?: number | undefined
}
export interface UptimeData {
  /** Percent, 0 to 100. */
  readonly uptimePercentage?: number | undefined
  readonly responseTimeMs?: number | undefined
}
export interface ErrorData {
  readonly errorType?: string | undefined
  readonly severity?: 'low' | 'medium' | 'high' | 'critical' | undefined
}
export interface CredentialData {
  readonly credentialId?: string | undefined
  readonly credentialType?: string | undefined
}
export interface DataOf
  extends Record<`task.${'completed' | 'failed' | 'timeout'}`, TaskData>,
    Record<`payment.${'completed' | 'failed' | 'late' | 'disputed'}`, PaymentData>,
    Record<'uptime.report', UptimeData>,
    Record<'error.reported', ErrorData>,
    Record<`credential.${'issued' | 'revoked'}`, CredentialData> {}

/** A closed pair for each type: `task.failed` with an `amount` does not compile. */
export type EventInput = {
  [T in EventType]: {
    readonly type: T
    readonly data?: DataOf[T] | undefined
    /** Up to 30 days back and 5 minutes ahead; the time of receipt by default. */
    readonly occurredAt?: Timestamp | undefined
    /** Your own name for it, 1 to 100 characters: reporting it again adds nothing. */
    readonly externalId?: string | undefined
  }
}[EventType]

export type ReviewDecision = 'released' | 'upheld'
export interface Review {
  readonly status: 'pending' | 'appealed' | ReviewDecision
  readonly decisions: readonly {
    readonly decision: ReviewDecision
    readonly reason: string
    readonly decidedAt: Timestamp
  }[]
  readonly appeal: { readonly statement: string; readonly createdAt: Timestamp } | null
}
export interface EventRecord {
  readonly id: string
  readonly agentId: string
  readonly type: EventType
  readonly dimension: Dimension
  readonly impact: 'positive' | 'negative'
  readonly data: Readonly<Record<string, unknown>>
  readonly occurredAt: Timestamp
  readonly createdAt: Timestamp
  /** The event's name on the reporter's side. */
  readonly externalId: string | null
  readonly isSelfReported: boolean
  readonly reporter: {
    readonly kind: 'agent' | 'platform' | 'owner' | 'system'
    readonly id: string
  }
  /** The reporter's: 1 for a platform, 0.1 for the agent itself or its owner. */
  readonly weight: number
  readonly fraudFlags: readonly string[]
  readonly isQuarantined: boolean
  readonly quarantineReason: string | null
  readonly attestationVerified: boolean
  readonly review: Review | null
}
export type EventQuery = RangeQuery & { readonly type?: EventType | undefined }

/** A line of the export: the event as it is hashed and folded, then the chain after it. */
export interface ExportedEvent {
  readonly id: string
  /** Its number among all events of the agent. */
  readonly seq: number
  readonly type: EventType
  readonly data: Readonly<Record<string, unknown>>
  /** The reporter's id. */
  readonly reporter: string
  readonly self: boolean
  /** When it was received, in milliseconds since 1970. */
  readonly at: number
  /** SHA-256 in base64url. */
  readonly chain: string
  /** When it was received or, if it was held, released. Milliseconds since 1970. */
  readonly countedSince: number
}

/** Why one event of a batch was refused. */
export interface ReportError {
  /** Its place among the events given, from 0. */
  readonly index: number
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}
export interface Report {
  readonly accepted: number
  readonly rejected: number
  readonly errors: readonly ReportError[]
  /** In the order given; null where the event was refused. */
  readonly data: readonly (EventRecord | null)[]
}

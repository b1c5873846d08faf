/** The service's records as they come over the wire. Times are RFC 3339 UTC with milliseconds. */
export type Timestamp = string
export type Tier = 'free' | 'growth' | 'platform'

/** What every list takes. `limit` is 1 to 100, 50 by default. */
export type ListQuery = {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}
export type RangeQuery = ListQuery & {
  readonly from?: Timestamp | undefined
  readonly to?: Timestamp | undefined
}

// Owners

export interface Owner {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly tier: Tier
  readonly createdAt: Timestamp
}
export interface Session {
  readonly owner: Owner
  /** The JWT for `new Standing({ token })`. */
  readonly token: string
  readonly expiresAt: Timestamp
}
export interface OwnerRegistration {
  readonly email: string
  /** 12 to 128 characters. */
  readonly password: string
  readonly name?: string | undefined
}
export interface PasswordChange {
  readonly currentPassword: string
  readonly newPassword: string
}

// Agents

export type AgentStatus = 'active' | 'suspended' | 'deactivated'
export type Metadata = Readonly<Record<string, unknown>>

/** What anyone with a key may know of an agent. */
export interface PublicAgent {
  readonly id: string
  readonly displayName: string
  readonly status: AgentStatus
  readonly createdAt: Timestamp
}
export interface Agent extends PublicAgent {
  readonly ownerId: string
  readonly metadata: Metadata
  readonly updatedAt: Timestamp
}
/** The key is told this once and never again. */
export interface AgentWithKey extends Agent {
  readonly apiKey: string
}
export interface AgentInput {
  /** 1 to 100 characters. */
  readonly displayName: string
  /** At most 16 KiB. */
  readonly metadata?: Metadata | undefined
}
/** A given `metadata` replaces the whole. */
export type AgentPatch = Partial<AgentInput>

// Events

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
    readonly data: DataOf[T]
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
  readonly externalId?: string | null
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

// Scores

export type Classification = 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
export type Confidence = 'low' | 'medium' | 'high'
export interface DimensionScore {
  readonly score: number
  /** The share it has by definition: 0.40, 0.35 or 0.25. */
  readonly weight: number
  /** The share it has here, where a dimension without evidence lends some of its own. */
  readonly effectiveWeight?: number
  readonly eventCount: number
}
export type Breakdown = Readonly<Record<Dimension, DimensionScore>>

/** How likely the next event of a dimension is a good one; not the score, which asks for evidence. */
export interface Forecast {
  readonly probability: number
  readonly [field: string]: unknown
}
export interface Score {
  readonly agentId: string
  /** 0 to 1000. */
  readonly score: number
  readonly classification: Classification
  readonly confidence: Confidence
  readonly eventCount: number
  readonly breakdown: Breakdown
  readonly interval: { readonly low: number; readonly high: number }
  readonly evidence: {
    readonly platformReported: number
    readonly selfReported: number
    readonly quarantined: number
  }
  readonly forecast?: Forecast | null
  readonly status: AgentStatus
  readonly modelVersion: string
  readonly computedAt: Timestamp
}
export interface ScoreBatch {
  /** In the order asked, each agent once. */
  readonly data: readonly Score[]
  readonly notFound: readonly string[]
}
export interface Snapshot {
  readonly id: string
  readonly agentId: string
  readonly score: number
  readonly classification: Classification
  readonly confidence: Confidence
  readonly eventCount: number
  readonly breakdown: Breakdown
  /** What moved the score. */
  readonly trigger: {
    readonly kind: 'event' | 'review'
    readonly id: string
    readonly type: EventType
  }
  readonly modelVersion: string
  readonly createdAt: Timestamp
}
export interface ClassificationTier {
  readonly label: Classification
  readonly name: string
  readonly min: number
  readonly max: number
  readonly meaning: string
}

// Credentials

export type CredentialStatus = 'active' | 'expired' | 'revoked'
export interface Credential {
  readonly id: string
  readonly agentId: string
  readonly issuerId: string
  readonly type: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly status: CredentialStatus
  readonly issuedAt: Timestamp
  readonly expiresAt: Timestamp | null
  readonly revokedAt: Timestamp | null
  /** The same as a W3C Verifiable Credential (`vc+jwt`), for those who verify without the service. */
  readonly jwt: string
}
export interface CredentialInput {
  readonly agentId: string
  readonly type: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly expiresAt?: Timestamp | undefined
}
export type CredentialQuery = ListQuery & {
  readonly agentId: string
  readonly status?: CredentialStatus | undefined
}
/** What to verify: an id, or the credential itself. */
export type CredentialProof = { readonly credentialId: string } | { readonly jwt: string }
export interface Verification {
  readonly valid: boolean
  readonly status: CredentialStatus | 'invalid'
  readonly claims?: Readonly<Record<string, unknown>> | null
  readonly [field: string]: unknown
}

// Webhooks

export type NotificationType =
  | 'score.changed'
  | 'score.tier_changed'
  | 'event.ingested'
  | 'event.quarantined'
  | 'event.reviewed'
  | 'credential.issued'
  | 'credential.revoked'
  | 'agent.status_changed'

/** The body of a delivery. For `score.changed`, `data` is a `ScoreChange`. */
export interface Notification<D = Readonly<Record<string, unknown>>> {
  /** `evt_…`; the same on every repeat, so that a receiver can tell one. */
  readonly id: string
  readonly type: NotificationType
  readonly timestamp: Timestamp
  readonly data: D
}
export interface ScoreChange {
  readonly agentId: string
  readonly previousScore: number
  readonly newScore: number
  readonly classification: Classification
  readonly triggeredBy: unknown
}
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly (NotificationType | '*')[]
  readonly description: string | null
  readonly status: 'active' | 'paused' | 'disabled'
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}
/** The secret (`whsec_…`) is told this once and never again. */
export interface WebhookWithSecret extends Webhook {
  readonly secret: string
}
export interface WebhookInput {
  readonly url: string
  readonly events: readonly (NotificationType | '*')[]
  readonly description?: string | undefined
}
/** `status: 'active'` resumes a paused or disabled subscription. */
export type WebhookPatch = Partial<WebhookInput> & { readonly status?: 'active' | undefined }

// The operator's

export interface Platform {
  readonly id: string
  readonly name: string
  readonly tier: Tier
  readonly status: string
  /** Ed25519, for attestation. */
  readonly publicKey: string | null
  /** The owner who runs it, if one does: on his agents it weighs as a self-report. */
  readonly ownerId: string | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}
/** The key is told this once and never again. */
export interface PlatformWithKey extends Platform {
  readonly apiKey: string
}
export interface PlatformInput {
  readonly name: string
  readonly tier?: Tier | undefined
  readonly publicKey?: string | undefined
  readonly ownerId?: string | undefined
}
export interface PlatformPatch {
  readonly name?: string | undefined
  readonly tier?: Tier | undefined
  readonly publicKey?: string | null | undefined
  readonly status?: string | undefined
}
export interface AgentStatusChange {
  readonly status: 'active' | 'suspended'
  readonly reason: string
}
export interface ReviewInput {
  readonly decision: ReviewDecision
  readonly reason: string
}
export interface AuditEntry {
  readonly id: string
  readonly actor: { readonly kind: string; readonly id: string | null }
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string } | null
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: Timestamp
}

/** What the service answers, as far as the dashboard reads it (openapi.json has the whole). */
import type { Confidence, Tier } from '../draw/tier.ts'

export type { Confidence, Tier }
export type ServiceTier = 'free' | 'growth' | 'platform'
export type AgentStatus = 'active' | 'suspended' | 'deactivated'
export type Dimension = 'reliability' | 'financial' | 'identity'

export const EVENT_TYPES = [
  'task.completed',
  'task.failed',
  'task.timeout',
  'payment.completed',
  'payment.failed',
  'payment.late',
  'payment.disputed',
  'uptime.report',
  'error.reported',
  'credential.issued',
  'credential.revoked',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface Page<T> {
  readonly data: readonly T[]
  readonly nextCursor: string | null
}

export interface Owner {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly tier: ServiceTier
  readonly createdAt: string
}

export interface OwnerSession {
  readonly owner: Owner
  readonly token: string
  readonly expiresAt: string
}

export interface Agent {
  readonly id: string
  readonly ownerId?: string
  readonly displayName: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly status: AgentStatus
  readonly createdAt: string
}

export interface AgentWithKey extends Agent {
  readonly apiKey: string
}

export interface RotatedKey {
  readonly apiKey: string
  readonly previousKeyExpiresAt: string
}

export interface DimensionScore {
  readonly score: number
  readonly weight: number
  readonly effectiveWeight: number
  readonly eventCount: number
}

export interface Rate {
  readonly probability: number
  readonly low: number
  readonly high: number
}

export interface Score {
  readonly agentId: string
  readonly score: number
  readonly classification: Tier
  readonly confidence: Confidence
  readonly eventCount: number
  readonly breakdown: Readonly<Record<Dimension, DimensionScore>>
  readonly interval: { readonly low: number; readonly high: number }
  readonly forecast: { readonly task: Rate | null; readonly payment: Rate | null }
  readonly evidence: {
    readonly platformReported: number
    readonly selfReported: number
    readonly quarantined: number
  }
  readonly status: AgentStatus
  readonly modelVersion: string
  readonly computedAt: string
  /** Not of every version of the service. */
  readonly ceiling?: number | null
  readonly disputed?: boolean
}

export interface Snapshot {
  readonly id: string
  readonly agentId: string
  readonly score: number
  readonly classification: Tier
  readonly confidence: Confidence
  readonly eventCount: number
  readonly trigger: {
    readonly kind: 'event' | 'review' | 'model'
    readonly id: string
    readonly type: EventType
  }
  readonly createdAt: string
  /** Not of every version of the service. */
  readonly interval?: { readonly low: number; readonly high: number }
}

export interface Reporter {
  readonly kind: 'agent' | 'platform' | 'owner' | 'system'
  readonly id: string
}

export interface Contributions {
  readonly start: number
  readonly time: number
  readonly correction: number
  readonly dimensions: readonly {
    readonly dimension: Dimension
    readonly events: number
    readonly points: number
  }[]
  readonly types: readonly {
    readonly type: EventType
    readonly events: number
    readonly points: number
  }[]
  readonly reporters?: readonly {
    readonly reporter: Reporter | null
    readonly events: number
    readonly points: number
  }[]
}

export interface Move {
  readonly id: string
  readonly type: EventType
  readonly points: number
  readonly createdAt: string
}

export interface Supposed {
  readonly type: EventType
  readonly count: number
  readonly score: number
  readonly difference: number
}

export interface Explanation {
  readonly agentId: string
  readonly score: number
  readonly classification: Tier
  readonly contributions: Contributions
  readonly reasons: readonly {
    readonly code: string
    readonly effect: 'lowers' | 'raises' | 'limits'
    readonly sentence: string
  }[]
  readonly nextTier: {
    readonly classification: Tier
    readonly min: number
    readonly pointsMissing: number
    readonly ways: readonly {
      readonly type: EventType
      readonly perDay: number | null
      readonly events: number
      readonly days: number
    }[]
  } | null
  readonly errorBudget: {
    readonly classification: Tier
    readonly pointsLeft: number
    readonly failures: readonly { readonly type: EventType; readonly events: number | null }[]
  } | null
  readonly after: readonly Supposed[]
  readonly events?: { readonly up: readonly Move[]; readonly down: readonly Move[] }
}

export interface Review {
  readonly status: 'pending' | 'appealed' | 'released' | 'upheld'
  readonly decisions: readonly {
    readonly decision: 'released' | 'upheld'
    readonly reason: string
    readonly decidedAt: string
  }[]
  readonly appeal: { readonly statement: string; readonly createdAt: string } | null
}

export interface TrustEvent {
  readonly id: string
  readonly agentId: string
  readonly type: EventType
  readonly dimension: Dimension
  readonly impact: 'positive' | 'negative'
  readonly data: Readonly<Record<string, unknown>>
  readonly occurredAt: string
  readonly createdAt: string
  readonly isSelfReported: boolean
  readonly reporter: Reporter
  readonly externalId: string | null
  readonly weight: number
  readonly fraudFlags: readonly string[]
  readonly isQuarantined: boolean
  readonly quarantineReason: string | null
  readonly attestationVerified: boolean
  readonly review: Review | null
}

export interface Finding {
  readonly rule: string
  readonly severity: 'low' | 'medium' | 'high'
  readonly mode: 'hold' | 'shadow'
  readonly sentence: string
  readonly evidence: Readonly<Record<string, number | string>>
}

export interface ReviewItem extends TrustEvent {
  readonly findings: readonly Finding[]
  readonly agent: {
    readonly status: AgentStatus
    readonly score: number
    readonly classification: Tier
    readonly events: number
    readonly quarantined: number
    readonly registeredAt: string
    readonly daysActive: number
    readonly usualPerDay: number
    readonly payments: { readonly count: number; readonly usualUsd: number }
    readonly platforms: readonly {
      readonly good: number
      readonly bad: number
      readonly days: number
    }[]
  } | null
  readonly reporterRecord: (Reports & { readonly agreement: number }) | null
}

export interface Reports {
  readonly total: number
  readonly held: number
  readonly released: number
  readonly upheld: number
}

export interface HeldScore {
  readonly heldEvents: number
  readonly current: Score
  readonly withHeld: Score
}

export interface Credential {
  readonly id: string
  readonly agentId: string
  readonly issuerId: string
  readonly assertedBy: 'owner' | 'service'
  readonly type: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly status: 'active' | 'expired' | 'revoked'
  readonly issuedAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly revocationReason: string | null
  readonly jwt: string
}

export interface Verification {
  readonly valid: boolean
  readonly status: string
  readonly checks: Readonly<Record<string, boolean>>
  readonly verifiedAt: string
}

export const NOTICE_TYPES = [
  'score.changed',
  'score.tier_changed',
  'event.ingested',
  'event.quarantined',
  'event.reviewed',
  'credential.issued',
  'credential.revoked',
  'agent.status_changed',
] as const

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly agentIds: readonly string[] | null
  readonly description: string | null
  readonly status: 'active' | 'paused' | 'disabled'
  readonly statusReason: 'failing' | 'gone' | null
  readonly statusChangedAt: string | null
  readonly consecutiveFailures: number
  readonly createdAt: string
}

export interface Delivery {
  readonly id: string
  readonly webhookId: string
  readonly type: string
  readonly agentId: string | null
  readonly status: 'pending' | 'delivered' | 'failed'
  readonly attemptCount: number
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly finishedAt: string | null
}

export interface DeliveryDetails extends Delivery {
  readonly data: Readonly<Record<string, unknown>>
  readonly attempts: readonly {
    readonly at: string
    readonly outcome: 'delivered' | 'failed' | 'gone' | 'throttled'
    readonly status: number | null
    readonly error: string | null
    readonly durationMs: number
    readonly responseStart: string
  }[]
}

export interface Platform {
  readonly id: string
  readonly name: string
  readonly tier: ServiceTier
  readonly status: 'active' | 'suspended'
  readonly publicKey: string | null
  readonly requireAttestation: boolean
  readonly agreement: number
  readonly reports: Reports
  readonly ownerId: string | null
  readonly createdAt: string
}

export interface Rule {
  readonly id: string
  readonly summary: string
  readonly severity: 'low' | 'medium' | 'high'
  readonly mode: RuleMode
  readonly defaultMode: RuleMode
  readonly threshold: {
    readonly value: number
    readonly default: number
    readonly min: number
    readonly max: number
    readonly unit: string
    readonly reason: string
  } | null
}
export type RuleMode = 'hold' | 'shadow' | 'off'

export interface AuditEntry {
  readonly id: string
  readonly actor: { readonly kind: string; readonly id: string | null }
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string } | null
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly number: number
  readonly hash: string
}

export interface SigningKey {
  readonly kid: string
  readonly purpose: 'credentials' | 'receipts'
  readonly publicKey: string
  readonly status: 'active' | 'retired' | 'revoked'
  readonly createdAt: string
  readonly retiredAt: string | null
  readonly revokedAt: string | null
}

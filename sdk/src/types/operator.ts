import type { AgentStatus } from './agents.ts'
import type { EventRecord, ReviewDecision } from './events.ts'
import type { Classification } from './scores.ts'
import type { RangeQuery, Tier, Timestamp } from './wire.ts'

export interface Platform {
  readonly id: string
  readonly name: string
  readonly tier: Tier
  readonly status: string
  /** Ed25519, for attestation. */
  readonly publicKey: string | null
  /** The signing key before, while it is accepted beside this one. */
  readonly previousKey: { readonly publicKey: string; readonly expiresAt: Timestamp } | null
  /** Whether reports without a signature are refused. */
  readonly requireAttestation: boolean
  /** The share of its reports that no review found against, 0 to 1. */
  readonly agreement: number
  readonly reports: ReportCounts
  /** The owner who runs it, if one does: on his agents it weighs as a self-report. */
  readonly ownerId: string | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}
export interface ReportCounts {
  readonly total: number
  readonly quarantined: number
  readonly released: number
  readonly upheld: number
}
/** The key is told this once and never again. */
export interface PlatformWithKey extends Platform {
  readonly apiKey: string
}
export interface PlatformInput {
  readonly name: string
  readonly tier?: Tier | undefined
  readonly publicKey?: string | undefined
  readonly requireAttestation?: boolean | undefined
  readonly ownerId?: string | undefined
}
export interface PlatformPatch {
  readonly name?: string | undefined
  readonly tier?: Tier | undefined
  readonly publicKey?: string | null | undefined
  /** How long the signing key before works on, where this sets another. An hour. */
  readonly previousKeyOverlapSeconds?: number | undefined
  readonly requireAttestation?: boolean | undefined
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
/** Which held events: those of a rule, an agent, a reporter, received within a time. */
export interface ReviewFilter {
  readonly rule?: string | undefined
  readonly agentId?: string | undefined
  readonly reporterId?: string | undefined
  readonly from?: Timestamp | undefined
  readonly to?: Timestamp | undefined
}
export type ReviewQuery = RangeQuery & Omit<ReviewFilter, 'from' | 'to'>
export type BulkReviewInput = ReviewInput & ReviewFilter
export interface BulkReview {
  readonly reviewed: number
  /** Whether more await review by the same filter. */
  readonly more: boolean
  readonly data: readonly EventRecord[]
}
/** What one rule found in an event. */
export interface Finding {
  readonly rule: string
  readonly severity: 'low' | 'medium' | 'high'
  /** `shadow`: only noted. */
  readonly mode: 'quarantine' | 'shadow'
  readonly sentence: string
  readonly evidence: Readonly<Record<string, number | string>>
}
/** An event with what was found in it, beside what is known of its agent and its reporter. */
export interface ReviewItem extends EventRecord {
  readonly findings: readonly Finding[]
  readonly agent: {
    readonly status: AgentStatus
    readonly score: number
    readonly classification: Classification
    readonly events: number
    readonly quarantined: number
    readonly registeredAt: Timestamp
    readonly daysActive: number
    readonly usualPerDay: number
    readonly payments: { readonly count: number; readonly usualUsd: number }
    readonly platforms: readonly {
      readonly good: number
      readonly bad: number
      readonly days: number
    }[]
  } | null
  readonly reporterRecord: (ReportCounts & { readonly agreement: number }) | null
}
export type RuleMode = 'quarantine' | 'shadow' | 'off'
export interface FraudRule {
  readonly id: string
  readonly summary: string
  readonly severity: 'low' | 'medium' | 'high'
  readonly mode: RuleMode
  readonly defaultMode: RuleMode
  readonly threshold: {
    /** In force. */
    readonly value: number
    readonly default: number
    readonly min: number
    readonly max: number
    readonly unit: string
    readonly reason: string
  } | null
}
export interface FraudRulePatch {
  readonly mode?: RuleMode | undefined
  /** null goes back to the rule's own. */
  readonly threshold?: number | null | undefined
}
export interface AuditEntry {
  readonly id: string
  readonly actor: { readonly kind: string; readonly id: string | null }
  readonly action: string
  readonly target: { readonly kind: string; readonly id: string } | null
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: Timestamp
  /** Its place in the chain, and the hash of it and the entry before. */
  readonly number: number
  readonly hash: string
}
/** What keys sign: credentials, or the receipts of scores. */
export type SigningPurpose = 'credentials' | 'receipts'
/** A key that the service signs with. What a retired one signed still holds. */
export interface SigningKey {
  readonly kid: string
  readonly purpose: SigningPurpose
  /** Ed25519, the `x` of its JWK. */
  readonly publicKey: string
  readonly status: 'active' | 'retired' | 'revoked'
  readonly createdAt: Timestamp
  readonly retiredAt: Timestamp | null
  readonly revokedAt: Timestamp | null
}

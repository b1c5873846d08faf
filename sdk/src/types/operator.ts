import type { ReviewDecision } from './events.ts'
import type { Tier, Timestamp } from './wire.ts'

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
/** A key that credentials are signed with. What a retired one signed still holds. */
export interface SigningKey {
  readonly kid: string
  /** Ed25519, the `x` of its JWK. */
  readonly publicKey: string
  readonly status: 'active' | 'retired' | 'revoked'
  readonly createdAt: Timestamp
  readonly retiredAt: Timestamp | null
  readonly revokedAt: Timestamp | null
}

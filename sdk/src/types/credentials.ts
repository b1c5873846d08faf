import type { Classification } from './scores.ts'
import type { ListQuery, Timestamp } from './wire.ts'

export type CredentialStatus = 'active' | 'expired' | 'revoked'
export interface Credential {
  readonly id: string
  readonly agentId: string
  /** The owner's id; of a score credential the DID of the service. */
  readonly issuerId: string
  /** Whose word it is: that of the agent's own owner, or of the service. */
  readonly assertedBy: 'owner' | 'service'
  readonly type: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly status: CredentialStatus
  readonly issuedAt: Timestamp
  readonly expiresAt: Timestamp | null
  readonly revokedAt: Timestamp | null
  readonly revocationReason: string | null
  /** The same as a W3C Verifiable Credential (`vc+jwt`), for those who verify without the service. */
  readonly jwt: string
}
export interface CredentialInput {
  readonly agentId: string
  readonly type: string
  readonly claims: Readonly<Record<string, unknown>>
  /** In the future; never, unless given. */
  readonly expiresAt?: Timestamp | undefined
}
export interface ScoreCredentialInput {
  /** The tier to vouch for; nothing above it is told. */
  readonly atLeast: Exclude<Classification, 'untrusted'>
  /** At most 90 days ahead; 30 unless given. */
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
  readonly status: CredentialStatus | 'suspended' | 'invalid'
  /** Null where nothing proves that the service ever said so. */
  readonly claims: Readonly<Record<string, unknown>> | null
  readonly checks: Readonly<
    Record<'signature' | 'issuer' | 'notBefore' | 'expiry' | 'status' | 'subject', boolean>
  >
  readonly credential: Credential | null
  readonly verifiedAt: Timestamp
}

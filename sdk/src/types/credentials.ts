import type { ListQuery, Timestamp } from './wire.ts'

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

/** A credential, and when it holds. Times are milliseconds since the epoch. */

export interface Credential {
  readonly id: string
  readonly agentId: string
  /** The owner of the agent that it is about. */
  readonly ownerId: string
  /** The owner who issued it; null where the service itself does. */
  readonly issuerId: string | null
  readonly type: string
  readonly claims: Readonly<Record<string, unknown>>
  /** Of a score credential: it is revoked when the score falls below. */
  readonly minimumScore: number | null
  readonly issuedAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly revocationReason: string | null
  readonly place: StatusPlace
  readonly signature: Signature
}

/** Its status list, and its bit in the list. */
export interface StatusPlace {
  readonly list: number
  readonly index: number
}

export interface Signature {
  /** The DID it was signed as. */
  readonly issuer: string
  /** The thumbprint of the key it was signed by. */
  readonly kid: string
  readonly signedAt: number
  readonly jwt: string
}

export type CredentialStatus = 'active' | 'expired' | 'revoked'

/** It expires by the clock alone, without a background job. */
export function statusAt(
  { revokedAt, expiresAt }: Pick<Credential, 'revokedAt' | 'expiresAt'>,
  now: number,
): CredentialStatus {
  if (revokedAt !== null) {
    return 'revoked'
  }
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

/** What is asked of a credential, each by itself; it is valid if all of them hold. */
export interface Checks {
  /** Signed by a key of this service that is not revoked. */
  readonly signature: boolean
  /** In the name of the service whose key it is. */
  readonly issuer: boolean
  /** It has begun. */
  readonly notBefore: boolean
  /** It has not ended. */
  readonly expiry: boolean
  /** Neither revoked nor suspended. */
  readonly status: boolean
  /** Says of its subject, to the letter, what was issued. */
  readonly subject: boolean
}

export type VerifiedStatus = CredentialStatus | 'suspended' | 'invalid'

export interface CredentialVerdict {
  readonly valid: boolean
  readonly status: VerifiedStatus
  readonly checks: Checks
}

/** What a token proves by itself, before its record is read. */
export type Proof = Pick<Checks, 'signature' | 'issuer' | 'subject'>

export const FORGED: CredentialVerdict = {
  valid: false,
  status: 'invalid',
  checks: {
    signature: false,
    issuer: false,
    notBefore: false,
    expiry: false,
    status: false,
    subject: false,
  },
}

/** Clocks of nodes differ: what another one issued a moment ago is not from the future. */
const AHEAD_MS = 60_000

/** Whether a credential holds at a time, given what its token proves and where its agent stands. */
export function credentialVerdict(
  credential: Pick<Credential, 'issuedAt' | 'expiresAt' | 'revokedAt'>,
  proof: Proof,
  isSuspended: boolean,
  now: number,
): CredentialVerdict {
  const own = statusAt(credential, now)
  const notBefore = credential.issuedAt <= now + AHEAD_MS
  const checks: Checks = {
    ...proof,
    notBefore,
    expiry: credential.expiresAt === null || credential.expiresAt > now,
    status: own !== 'revoked' && !isSuspended,
  }
  const isGenuine = proof.signature && proof.issuer && proof.subject && notBefore
  const valid = isGenuine && checks.expiry && checks.status
  return { valid, status: isGenuine ? withSuspension(own, isSuspended) : 'invalid', checks }
}

/** What is over stays over; a suspension may be lifted again. */
function withSuspension(own: CredentialStatus, isSuspended: boolean): VerifiedStatus {
  return own === 'active' && isSuspended ? 'suspended' : own
}

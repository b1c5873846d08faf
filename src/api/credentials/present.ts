import type { Verification } from '../../credentials/verify.ts'
import { type Credential, statusAt } from '../../domain/credential.ts'
import { time, timeOrNull } from '../wire.ts'

export function presentCredential(credential: Credential, now: number) {
  const { id, agentId, type, claims, revocationReason, signature } = credential
  return {
    id,
    agentId,
    issuerId: credential.issuerId ?? signature.issuer,
    assertedBy: credential.issuerId === null ? ('service' as const) : ('owner' as const),
    type,
    claims,
    status: statusAt(credential, now),
    issuedAt: time(credential.issuedAt),
    expiresAt: timeOrNull(credential.expiresAt),
    revokedAt: timeOrNull(credential.revokedAt),
    revocationReason,
    jwt: signature.jwt,
  }
}

export function presentVerification({ verdict, credential }: Verification, now: number) {
  const { valid, status, checks } = verdict
  return {
    valid,
    status,
    claims: status === 'invalid' ? null : (credential?.claims ?? null),
    checks,
    credential: credential && presentCredential(credential, now),
    verifiedAt: time(now),
  }
}

import type { Verification as VerificationValue } from '../../credentials/verify.ts'
import { type Credential as CredentialRow, statusAt } from '../../domain/credential.ts'
import { isReservedClaim, isReservedType } from '../../domain/verifiable-credential.ts'
import { z } from '../../http/schema.ts'
import { Reason } from '../operator/routes.ts'
import { EXAMPLE_ID, Id, listOf, PageQuery, Time, TimeInput, time, timeOrNull } from '../wire.ts'

/** As JSON text: room for what an audit found, none for the audit's own documents. */
const CLAIMS_BYTES_MAX = 16 * 1024

const Type = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .refine((type) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(type), 'must be one line of text')
  .refine((type) => !isReservedType(type), 'is a type that verifiers read a meaning into')
  .openapi({ example: 'SecurityAudit' })

const CLAIMS = { auditor: 'Example Labs', grade: 'A' }

const Claims = z
  .record(z.string(), z.unknown())
  .refine((claims) => Buffer.byteLength(JSON.stringify(claims)) <= CLAIMS_BYTES_MAX, {
    message: `must be at most ${CLAIMS_BYTES_MAX} bytes of JSON`,
  })
  .refine((claims) => !Object.keys(claims).some(isReservedClaim), {
    message: 'may not hold `id`, which names the agent, nor the `@` words of JSON-LD',
  })
  .openapi({ type: 'object', additionalProperties: true, example: CLAIMS })

export const IssueBody = z
  .strictObject({
    agentId: Id,
    type: Type,
    claims: Claims,
    expiresAt: TimeInput.nullish().openapi({
      description: 'In the future; never, unless given.',
      example: '2099-06-15T11:00:00.000Z',
    }),
  })
  // Without an end, so that it can be sent as it stands on any day.
  .openapi('IssueCredential', {
    example: { agentId: EXAMPLE_ID, type: 'SecurityAudit', claims: CLAIMS },
  })

export const ScoreBody = z
  .strictObject({
    atLeast: z.enum(['excellent', 'good', 'fair', 'poor']).openapi({ example: 'good' }),
    expiresAt: TimeInput.nullish().openapi({
      description: 'In the future, at most 90 days ahead; 30 days ahead unless given.',
      example: null,
    }),
  })
  .openapi('IssueScoreCredential', { example: { atLeast: 'good' } })

export const RevokeBody = z.strictObject({ reason: Reason.nullish() }).optional().openapi('Revoke')

/** A token of ours is a few KiB, of which claims take the most. */
const TOKEN_LENGTH_MAX = 64 * 1024

export const VerifyBody = z
  .strictObject({
    credentialId: Id.optional(),
    jwt: z.string().min(1).max(TOKEN_LENGTH_MAX).optional(),
  })
  .refine(({ credentialId, jwt }) => (credentialId === undefined) !== (jwt === undefined), {
    message: 'must have either credentialId or jwt',
  })
  .openapi('VerifyCredential', {
    minProperties: 1,
    maxProperties: 1,
    example: { credentialId: '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e' },
  })

const StatusName = z.enum(['active', 'expired', 'revoked'])

export const CredentialQueryParams = PageQuery.extend({
  agentId: Id.openapi({ description: 'Whose credentials.' }),
  status: StatusName.optional().openapi({ description: 'Only those that are so.' }),
})

export const Credential = z
  .object({
    id: Id,
    agentId: Id,
    issuerId: z.string().openapi({
      description: "The owner's id; of a score credential the DID of the service.",
      example: '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e',
    }),
    assertedBy: z.enum(['owner', 'service']).openapi({
      description: 'Whose word it is: that of the agent’s own owner, or of this service.',
    }),
    type: z.string().openapi({ example: 'SecurityAudit' }),
    claims: z.record(z.string(), z.unknown()).openapi({ example: CLAIMS }),
    status: StatusName,
    issuedAt: Time,
    expiresAt: Time.nullable(),
    revokedAt: Time.nullable().openapi({ example: null }),
    revocationReason: z.string().nullable().openapi({ example: null }),
    jwt: z.string().openapi({
      description: 'The same as a W3C Verifiable Credential (VC-JOSE-COSE, `vc+jwt`).',
      example: 'eyJhbGciOiJFZERTQSIsInR5cCI6InZjK2p3dCJ9.eyJpc3MiOiJkaWQ6d2ViOmEifQ.c2lnbmF0dXJl',
    }),
  })
  .openapi('Credential')

export const CredentialList = listOf(Credential, 'CredentialList')

const Check = z.boolean().openapi({ example: true })

export const Verification = z
  .object({
    valid: z.boolean().openapi({ example: true }),
    status: z.enum(['active', 'expired', 'revoked', 'suspended', 'invalid']),
    claims: z.record(z.string(), z.unknown()).nullable().openapi({
      example: CLAIMS,
      description: 'What it claims; null where nothing proves that we ever said so.',
    }),
    checks: z.object({
      signature: Check,
      issuer: Check,
      notBefore: Check,
      expiry: Check,
      status: Check,
      subject: Check,
    }),
    credential: z.union([Credential, z.null()]),
    verifiedAt: Time,
  })
  .openapi('Verification')

export const Reissued = z
  .object({
    reissued: z.int().min(0),
    more: z.boolean().openapi({ description: 'Whether there are others; then ask again.' }),
  })
  .openapi('Reissued')

export function presentCredential(credential: CredentialRow, now: number) {
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

export function presentVerification({ verdict, credential }: VerificationValue, now: number) {
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

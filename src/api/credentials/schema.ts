import { isReservedClaim, isReservedType } from '../../domain/verifiable-credential.ts'
import { z } from '../../http/schema.ts'
import { listOf, PageQuery } from '../paging.ts'
import { EXAMPLE_ID, Id, jsonObject, Reason, Time, TimeInput } from '../wire.ts'

/** 16 KiB of JSON text: enough for the findings of an audit, too little for its documents. */
const CLAIMS_BYTES_MAX = 16 * 1024

/** A term, as VC Data Model 2.0 (4.5) has it. In many alphabets, marks are parts of letters. */
const TERM = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:-]*$/u

/** What no URL has as it is (RFC 3986, 2); the parser would escape it. */
const NOT_IN_URLS = /[\s<>"\\^`{|}]/

/** A space or markup would be signed into the credential, where readers expect a name. */
function isTermOrUrl(type: string): boolean {
  const isUrl = /^https?:\/\//.test(type) && URL.canParse(type) && !NOT_IN_URLS.test(type)
  return isUrl || TERM.test(type)
}

const Type = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .refine(isTermOrUrl, 'must be a URL, or a name of letters, digits and _ - . : without spaces')
  .refine((type) => !isReservedType(type), 'is reserved: verifiers give this type a meaning')
  .openapi({ example: 'SecurityAudit' })

const CLAIMS = { auditor: 'Example Labs', grade: 'A' }

const Claims = jsonObject(CLAIMS_BYTES_MAX)
  .refine((claims) => !Object.keys(claims).some(isReservedClaim), {
    message: 'must not contain `id`, which is the agent, or a JSON-LD keyword (`@…`)',
  })
  .openapi({ type: 'object', additionalProperties: true, example: CLAIMS })

export const IssueBody = z
  .strictObject({
    agentId: Id,
    type: Type,
    claims: Claims,
    expiresAt: TimeInput.nullish().openapi({
      description: 'When it expires; must lie in the future. Defaults to never.',
      example: '2099-06-15T11:00:00.000Z',
    }),
  })
  // Without an expiry, so that the example is valid on any day.
  .openapi('IssueCredential', {
    example: { agentId: EXAMPLE_ID, type: 'SecurityAudit', claims: CLAIMS },
  })

export const ScoreBody = z
  .strictObject({
    atLeast: z.enum(['excellent', 'good', 'fair', 'poor']).openapi({ example: 'good' }),
    expiresAt: TimeInput.nullish().openapi({
      description: 'When it expires: at most 90 days ahead. Defaults to 30 days ahead.',
      example: null,
    }),
  })
  .openapi('IssueScoreCredential', { example: { atLeast: 'good' } })

export const RevokeBody = z
  .strictObject({ reason: Reason.nullish().openapi({ example: 'The audit was withdrawn.' }) })
  .optional()
  .openapi('Revoke')

/** A token has a few KiB; the claims take most of it. */
const TOKEN_LENGTH_MAX = 64 * 1024

export const VerifyBody = z
  .strictObject({
    credentialId: Id.optional(),
    jwt: z.string().max(TOKEN_LENGTH_MAX).optional(),
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
  agentId: Id.openapi({ description: 'The agent whose credentials to list.' }),
  status: StatusName.optional().openapi({ description: 'Only credentials with this status.' }),
})

export const Credential = z
  .object({
    id: Id,
    agentId: Id,
    issuerId: z.string().openapi({
      description: 'The id of the owner, or for a score credential the DID of the service.',
      example: '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e',
    }),
    assertedBy: z.enum(['owner', 'service']).openapi({
      description: 'Who makes the statement: the owner of the agent, or this service.',
    }),
    type: z.string().openapi({ example: 'SecurityAudit' }),
    claims: z.record(z.string(), z.unknown()).openapi({ example: CLAIMS }),
    status: StatusName,
    issuedAt: Time,
    expiresAt: Time.nullable(),
    revokedAt: Time.nullable().openapi({ example: null }),
    revocationReason: z.string().nullable().openapi({ example: null }),
    jwt: z.string().openapi({
      description: 'The credential as a W3C Verifiable Credential (VC-JOSE-COSE, `vc+jwt`).',
      example: 'eyJhbGciOiJFZERTQSIsInR5cCI6InZjK2p3dCJ9.eyJpc3MiOiJkaWQ6d2ViOmEifQ.c2lnbmF0dXJl',
    }),
  })
  .openapi('Credential')

export const CredentialList = listOf(Credential, 'CredentialList')

const check = (description: string) => z.boolean().openapi({ description, example: true })

export const Verification = z
  .object({
    valid: z.boolean().openapi({ example: true }),
    status: z.enum(['active', 'expired', 'revoked', 'suspended', 'invalid']),
    claims: z.record(z.string(), z.unknown()).nullable().openapi({
      example: CLAIMS,
      description: 'The claims; null when the token is not proven to be from this service.',
    }),
    checks: z.object({
      signature: check('Signed by a key of this service that is not revoked.'),
      issuer: check('Names the address of the service as its issuer.'),
      notBefore: check('Already issued.'),
      expiry: check('Not expired.'),
      status: check('Neither revoked, nor suspended with its agent.'),
      subject: check('About the agent, and with the claims, that the service stored.'),
    }),
    credential: z.union([Credential, z.null()]),
    verifiedAt: Time,
  })
  .openapi('Verification')

export const Reissued = z
  .object({
    reissued: z.int().min(0),
    more: z.boolean().openapi({ description: 'Whether more are left; if so, call again.' }),
  })
  .openapi('Reissued')

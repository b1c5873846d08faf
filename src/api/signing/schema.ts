import { z } from '../../http/schema.ts'
import { PURPOSES } from '../../signing/keys.ts'
import { listOf } from '../paging.ts'
import { Reason, Time } from '../wire.ts'

const EXAMPLE_KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
const EXAMPLE_X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'

const HALT_REASON = 'A signing key may have leaked.'

/** A public key as published. */
export const Jwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().openapi({ example: EXAMPLE_X }),
  kid: z.string().openapi({
    description: 'The DID of the service and the thumbprint of the key (RFC 7638).',
    example: `did:web:trust.example.com#${EXAMPLE_KID}`,
  }),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
})

const Purpose = z
  .enum(PURPOSES)
  .openapi({ description: 'What the key signs.', example: 'credentials' })

export const SigningKey = z
  .object({
    kid: z
      .string()
      .openapi({ description: 'The thumbprint of the key (RFC 7638).', example: EXAMPLE_KID }),
    purpose: Purpose,
    publicKey: z
      .string()
      .openapi({ description: 'Ed25519 public key: the `x` of its JWK.', example: EXAMPLE_X }),
    status: z.enum(['active', 'retired', 'revoked']),
    createdAt: Time,
    retiredAt: Time.nullable().openapi({ example: null }),
    revokedAt: Time.nullable().openapi({ example: null }),
  })
  .openapi('SigningKey')

export const SigningKeys = listOf(SigningKey, 'SigningKeys')

export const KidParams = z.object({
  kid: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be the thumbprint of a key')
    .openapi({ description: 'The thumbprint of the key (RFC 7638).', example: EXAMPLE_KID }),
})

export const RotateBody = z
  .strictObject({
    purpose: Purpose.optional().openapi({
      description: 'Which key to replace. Defaults to `credentials`.',
    }),
  })
  .optional()
  .openapi('RotateSigningKey')

export const RevokeKeyBody = z
  .strictObject({ reason: Reason.openapi({ example: 'The key was in a public repository.' }) })
  .openapi('RevokeSigningKey')

export const Issuing = z
  .object({
    halted: z
      .object({
        at: Time,
        by: z.string().openapi({
          description: 'The id of the operator.',
          example: '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e',
        }),
        reason: z.string().openapi({ example: HALT_REASON }),
      })
      .nullable()
      .openapi({ description: 'Null while credentials are issued.' }),
  })
  .openapi('Issuing')

export const IssuingBody = z
  .strictObject({
    halted: z.boolean().openapi({ description: 'False to resume.', example: true }),
    reason: Reason.openapi({ example: HALT_REASON }),
  })
  .openapi('UpdateIssuing')

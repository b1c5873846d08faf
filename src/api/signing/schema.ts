import { z } from '../../http/schema.ts'
import { PURPOSES } from '../../signing/keys.ts'
import type { SigningKeyRow } from '../../store/store.ts'
import { Reason } from '../operator/routes.ts'
import { Time, time, timeOrNull } from '../wire.ts'

const EXAMPLE_KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'
const EXAMPLE_X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'

/** A public key as it is published. */
export const Jwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().openapi({ example: EXAMPLE_X }),
  kid: z.string().openapi({
    description: "The service's DID, and the key's thumbprint (RFC 7638).",
    example: `did:web:trust.example.com#${EXAMPLE_KID}`,
  }),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
})

const Purpose = z.enum(PURPOSES).openapi({ description: 'What it signs.', example: 'credentials' })

export const SigningKey = z
  .object({
    kid: z.string().openapi({ description: 'Its thumbprint (RFC 7638).', example: EXAMPLE_KID }),
    purpose: Purpose,
    publicKey: z
      .string()
      .openapi({ description: 'Ed25519, the `x` of its JWK.', example: EXAMPLE_X }),
    status: z.enum(['active', 'retired', 'revoked']),
    createdAt: Time,
    retiredAt: Time.nullable().openapi({ example: null }),
    revokedAt: Time.nullable().openapi({ example: null }),
  })
  .openapi('SigningKey')

export const SigningKeys = z.object({ data: z.array(SigningKey) }).openapi('SigningKeys')

export const KidParams = z.object({
  kid: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be the thumbprint of a key')
    .openapi({ description: 'The thumbprint of the key (RFC 7638).', example: EXAMPLE_KID }),
})

export const RotateBody = z
  .strictObject({
    purpose: Purpose.optional().openapi({
      description: 'Which key: that of the credentials, unless told.',
    }),
  })
  .optional()
  .openapi('RotateSigningKey')

export const RevokeKeyBody = z.strictObject({ reason: Reason }).openapi('RevokeSigningKey')

export function presentKey(key: SigningKeyRow) {
  const { kid, purpose, publicKey, createdAt, retiredAt, revokedAt } = key
  const retired = retiredAt === null ? 'active' : 'retired'
  return {
    kid,
    purpose,
    publicKey,
    status: revokedAt === null ? retired : 'revoked',
    createdAt: time(createdAt),
    retiredAt: timeOrNull(retiredAt),
    revokedAt: timeOrNull(revokedAt),
  }
}

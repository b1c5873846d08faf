import { readPublicKey } from '../../auth/public-key.ts'
import { agreementOf, NO_REPORTS, type ReporterStats } from '../../fraud/reporter-stats.ts'
import { z } from '../../http/schema.ts'
import type { PlatformRow } from '../../store/store.ts'
import { ServiceTierName } from '../owners/schema.ts'
import { Id, listOf, Time, time } from '../wire.ts'

/** An hour to bring a new signing key to wherever the old one is in use, as with API keys. */
const OVERLAP_SECONDS = 3_600
const OVERLAP_SECONDS_MAX = 30 * 86_400

const RequireAttestation = z.boolean().openapi({
  description: 'Whether reports without a signature are refused.',
})

const Name = z.string().trim().min(1).max(100).openapi({ example: 'Acme Marketplace' })

/** An Ed25519 public key is 32 bytes, whichever way it is written; kept is the `x` of its JWK. */
export const PublicKey = z
  .string()
  .transform((text, ctx) => {
    const x = readPublicKey(text)
    if (x === null) {
      ctx.addIssue({
        code: 'custom',
        message: 'must be an Ed25519 public key: 32 bytes in base64url, or SPKI in PEM',
      })
    }
    return x ?? z.NEVER
  })
  .openapi({
    description:
      'Ed25519: with it the platform signs what it reports. The `x` of its JWK; base64, and SPKI in ' +
      'PEM or base64, are read too.',
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  })

export const CreatePlatformBody = z
  .strictObject({
    name: Name,
    tier: ServiceTierName.default('platform'),
    publicKey: PublicKey.nullish(),
    requireAttestation: RequireAttestation.default(false),
    ownerId: Id.nullish().openapi({
      example: null,
      description: 'The owner who runs it: on his own agents it weighs as a self-report.',
    }),
  })
  .openapi('CreatePlatform')

export const UpdatePlatformBody = z
  .strictObject({
    name: Name.optional(),
    tier: ServiceTierName.optional(),
    publicKey: PublicKey.nullish(),
    previousKeyOverlapSeconds: z
      .int()
      .min(0)
      .max(OVERLAP_SECONDS_MAX)
      .default(OVERLAP_SECONDS)
      .openapi({
        description: 'How long the signing key before works on, where this sets another.',
      }),
    requireAttestation: RequireAttestation.optional(),
    status: z.enum(['active', 'suspended']).optional(),
  })
  .openapi('UpdatePlatform')

export const Platform = z
  .object({
    id: Id,
    name: z.string().openapi({ example: 'Acme Marketplace' }),
    tier: ServiceTierName.openapi({ example: 'platform' }),
    status: z.enum(['active', 'suspended']),
    publicKey: z.string().nullable().openapi({ example: null }),
    previousKey: z.object({ publicKey: z.string(), expiresAt: Time }).nullable().openapi({
      example: null,
      description: 'The signing key before, while it is accepted beside this one.',
    }),
    requireAttestation: z.boolean(),
    agreement: z.number().min(0).max(1).openapi({
      description:
        'The share of its reports that no review found against. Once ten were, and it is below 0.95, its reports weigh so much.',
    }),
    reports: z.object({
      total: z.int(),
      held: z.int(),
      released: z.int(),
      upheld: z.int(),
    }),
    ownerId: Id.nullable().openapi({ example: null }),
    createdAt: Time,
    updatedAt: Time,
  })
  .openapi('Platform')

export const PlatformWithKey = Platform.extend({
  apiKey: z.string().openapi({
    description: 'Shown this once; only its hash is kept.',
    example: 'avp_0123456789ABCDEFGHIJKLMNOPQRSTUV0abcde',
  }),
}).openapi('PlatformWithKey')

export const PlatformList = listOf(Platform, 'PlatformList')

/** Figures are told to so many decimals. */
const AGREEMENT_SCALE = 1_000

export function presentPlatform(
  platform: PlatformRow,
  now: number,
  record: ReporterStats = NO_REPORTS,
) {
  const { id, name, tier, status, publicKey, previousKey, requireAttestation, ownerId } = platform
  const { events, held, released, upheld } = record
  return {
    id,
    name,
    tier,
    status,
    publicKey,
    previousKey:
      previousKey && previousKey.expiresAt > now
        ? { publicKey: previousKey.publicKey, expiresAt: time(previousKey.expiresAt) }
        : null,
    requireAttestation,
    agreement: Math.round(agreementOf(record) * AGREEMENT_SCALE) / AGREEMENT_SCALE,
    reports: { total: events, held, released, upheld },
    ownerId,
    createdAt: time(platform.createdAt),
    updatedAt: time(platform.updatedAt),
  }
}

import { z } from '@hono/zod-openapi'
import type { PlatformRow } from '../../store/store.ts'
import { ServiceTierName } from '../owners/schema.ts'
import { Id, listOf, Time, time } from '../wire.ts'

const Name = z.string().trim().min(1).max(100).openapi({ example: 'Acme Marketplace' })

/** An Ed25519 public key is 32 bytes, whichever way it is written. */
export const PublicKey = z
  .string()
  .regex(/^[\w-]{43}$/, 'must be an Ed25519 public key: 32 bytes in base64url without padding')
  .openapi({
    description: 'Ed25519, the `x` of its JWK: with it the platform signs what it reports.',
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  })

export const CreatePlatformBody = z
  .strictObject({
    name: Name,
    tier: ServiceTierName.default('platform'),
    publicKey: PublicKey.nullish(),
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

export function presentPlatform(platform: PlatformRow) {
  const { id, name, tier, status, publicKey, ownerId } = platform
  const createdAt = time(platform.createdAt)
  const updatedAt = time(platform.updatedAt)
  return { id, name, tier, status, publicKey, ownerId, createdAt, updatedAt }
}

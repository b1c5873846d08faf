import { SCOPES } from '../../domain/permission.ts'
import { z } from '../../http/schema.ts'
import { listOf } from '../paging.ts'
import { ApiKey, GivenName, Id, Time, TimeInput } from '../wire.ts'

const ScopeName = z.enum(SCOPES)

const Name = GivenName.openapi({ example: 'billing server' })

export const CreateOwnerKeyBody = z
  .strictObject({
    name: Name,
    scopes: z
      .array(ScopeName)
      .min(1)
      .max(SCOPES.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'names a scope twice')
      .openapi({
        example: ['read'],
        description:
          'What the key may do: `read` reads, `report` appeals reviews, `manage` changes agents, ' +
          'credentials and webhooks. No scope includes another.',
      }),
    expiresAt: TimeInput.nullish().openapi({
      example: null,
      description: 'When the key stops working. Without it, the key works until it is revoked.',
    }),
  })
  .openapi('CreateOwnerKey')

export const OwnerKey = z
  .object({
    id: Id,
    name: z.string().openapi({ example: 'billing server' }),
    scopes: z.array(ScopeName).openapi({ example: ['read'] }),
    status: z.enum(['active', 'expired', 'revoked']),
    createdBy: Id.openapi({ description: 'The member who created it.' }),
    createdAt: Time,
    expiresAt: Time.nullable().openapi({ example: null }),
    revokedAt: Time.nullable().openapi({ example: null }),
    lastUsedAt: Time.nullable().openapi({
      example: null,
      description: 'At most a minute late; null while it was never used.',
    }),
  })
  .openapi('OwnerKey')

export const OwnerKeyWithSecret = OwnerKey.extend({
  apiKey: ApiKey.openapi({ example: 'avw_0123456789ABCDEFGHIJKLMNOPQRSTUV0abcde' }),
}).openapi('OwnerKeyWithSecret')

export const OwnerKeyList = listOf(OwnerKey, 'OwnerKeyList')

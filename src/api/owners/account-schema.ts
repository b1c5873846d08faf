import { z } from '../../http/schema.ts'
import { Member } from '../members/schema.ts'
import { OwnerKey } from '../owner-keys/schema.ts'
import { Owner, OwnerStatusName, Permissions } from './schema.ts'

/** The account, and who asks for it. */
export const Account = Owner.extend({
  status: OwnerStatusName,
  member: z
    .union([Member, z.null()])
    .openapi({ description: 'The person who asks; null for an API key.' }),
  key: z.union([OwnerKey, z.null()]).openapi({
    description: 'The API key that asks; null for a person.',
    example: null,
  }),
  permissions: Permissions,
}).openapi('Account')

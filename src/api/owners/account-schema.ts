import { PERMISSIONS } from '../../domain/permission.ts'
import { z } from '../../http/schema.ts'
import { Member } from '../members/schema.ts'
import { OwnerKey } from '../owner-keys/schema.ts'
import { Owner, OwnerStatusName } from './schema.ts'

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
  permissions: z.array(z.enum(PERMISSIONS)).openapi({
    description:
      'What the caller may do: the scopes, `admin` for members, keys and the account itself, and ' +
      '`session` for the password and the sign-in of a person.',
    example: [...PERMISSIONS],
  }),
}).openapi('Account')

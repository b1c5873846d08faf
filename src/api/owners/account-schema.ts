import { PERMISSIONS } from '../../domain/permission.ts'
import { z } from '../../http/schema.ts'
import { Member } from '../members/schema.ts'
import { OwnerKey } from '../owner-keys/schema.ts'
import { EXAMPLE_ID } from '../wire.ts'
import { Owner, OwnerStatusName } from './schema.ts'

/** Null is unlimited. */
const Limit = z.number().int().min(1).nullable()

/** The account, and who asks for it. */
export const Account = Owner.extend({
  status: OwnerStatusName,
  limits: z
    .object({
      requestsPerMinute: Limit,
      lookupsPerMonth: Limit,
      agents: Limit.openapi({ description: 'Agents that are not deactivated.' }),
      eventsPerAgentHour: Limit.openapi({
        description: 'Events of one reporter about one agent.',
      }),
    })
    .openapi({
      description:
        'What the account may ask for: the limits of its tier, as the settings of this installation ' +
        'apply them. Null is unlimited.',
      example: {
        requestsPerMinute: 100,
        lookupsPerMonth: 1_000,
        agents: 10,
        eventsPerAgentHour: 100,
      },
    }),
  member: z.union([Member, z.null()]).openapi({
    description: 'The person who asks; null for an API key.',
    // The person who opened the account, so that the permissions below are those of the role.
    example: {
      id: EXAMPLE_ID,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      role: 'admin',
      isOwner: true,
      emailConfirmed: true,
      createdAt: '2026-06-15T11:00:00.000Z',
    },
  }),
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

import { z } from '../../http/schema.ts'
import { RoleName } from '../members/schema.ts'
import { Email } from '../owners/schema.ts'
import { listOf } from '../paging.ts'
import { Id, Time } from '../wire.ts'

const Fields = {
  id: Id,
  email: z.string().openapi({ format: 'email', example: 'grace@example.com' }),
  role: RoleName.nullable().openapi({
    description: 'The role in the account; null for an invitation to open an account.',
  }),
  status: z.enum(['open', 'expired']),
  createdAt: Time,
  expiresAt: Time.openapi({ example: '2026-06-22T11:00:00.000Z' }),
}

const Invitation = z.object(Fields).openapi('Invitation')

export const InvitationWithLink = z
  .object({
    ...Fields,
    link: z.string().nullable().openapi({
      description:
        'Where the invitation is accepted; null where the service sent it by mail. Returned only here.',
      example: 'https://standing.example.com/invitation?token=Wl2Yq3mXv0nq7J4kq8bCkT5yq6dW1sVYp9aE',
    }),
  })
  .openapi('InvitationWithLink')

export const InvitationList = listOf(Invitation, 'InvitationList')

export const InviteMemberBody = z
  .strictObject({ email: Email, role: RoleName.default('member') })
  .openapi('InviteMember')

export const InviteOwnerBody = z
  // Of a person who has no account yet: others cannot be invited.
  .strictObject({ email: Email.openapi({ example: 'alan@example.com' }) })
  .openapi('InviteOwner')

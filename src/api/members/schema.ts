import { ROLES } from '../../domain/permission.ts'
import { z } from '../../http/schema.ts'
import { listOf } from '../paging.ts'
import { Id, Time } from '../wire.ts'

export const RoleName = z.enum(ROLES).openapi({ example: 'viewer' })

export const Member = z
  .object({
    id: Id,
    email: z.string().openapi({ format: 'email', example: 'grace@example.com' }),
    name: z.string().nullable().openapi({ example: 'Grace Hopper' }),
    role: RoleName,
    isOwner: z.boolean().openapi({
      description: 'Whether this person opened the account. The role of that person is `admin`.',
    }),
    emailConfirmed: z.boolean(),
    createdAt: Time,
  })
  .openapi('Member')

export const MemberList = listOf(Member, 'MemberList')

export const UpdateMemberBody = z.strictObject({ role: RoleName }).openapi('UpdateMember')

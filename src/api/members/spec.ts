import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import { IdParams } from '../wire.ts'
import { Member, MemberList, UpdateMemberBody } from './schema.ts'

export const MEMBER_SPECS = {
  listMembers: {
    method: 'get',
    path: '/v1/members',
    tag: 'Account',
    summary: 'List the members of the account, newest first',
    description: 'Owner only. Includes the person who opened the account.',
    callers: ['owner'],
    isNeverLimited: true,
    query: PageQuery,
    responses: { 200: { description: 'A page of members', schema: MemberList } },
  },
  updateMember: {
    method: 'patch',
    path: '/v1/members/{id}',
    tag: 'Account',
    summary: 'Give a member another role',
    description:
      'Owner only, as an admin. Takes effect with the next request of the member. `FORBIDDEN` with ' +
      '`details.reason` `account_owner` for the person who opened the account.',
    callers: ['owner'],
    permission: 'admin',
    params: IdParams,
    body: UpdateMemberBody,
    responses: { 200: { description: 'The member', schema: Member } },
  },
  removeMember: {
    method: 'delete',
    path: '/v1/members/{id}',
    tag: 'Account',
    summary: 'Remove a member',
    description:
      "Owner only, as an admin. The member's tokens end at once, and subscriptions that mail to the " +
      'member are deleted. API keys belong to the account and keep working. `FORBIDDEN` with ' +
      '`details.reason` `account_owner` for the person who opened the account.',
    callers: ['owner'],
    isNeverLimited: true,
    permission: 'admin',
    params: IdParams,
    responses: { 204: { description: 'The member is removed' } },
  },
} as const satisfies RouteSpecs

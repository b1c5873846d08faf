import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import { IdParams } from '../wire.ts'
import { InvitationList, InvitationWithLink, InviteMemberBody, InviteOwnerBody } from './schema.ts'

const CREATED = { description: 'The invitation', schema: InvitationWithLink }
const LISTED = { description: 'A page of invitations', schema: InvitationList }
const DELETED = { description: 'The invitation is deleted' }

const HOW =
  'Where the service sends mail (`SMTP_URL`) it ' +
  'mails the link; otherwise the response has it. The link works once, within a week. `FORBIDDEN` with ' +
  '`details.limit` `max_members` when there are too many invitations'

export const INVITATION_SPECS = {
  inviteMember: {
    method: 'post',
    path: '/v1/invitations',
    tag: 'Account',
    summary: 'Invite a person to the account',
    description:
      `Owner only, as an admin. ${HOW} and members. \`CONFLICT\` for the e-mail of a member of the ` +
      'account. A person belongs to one account. Whether the e-mail has another one is not revealed here: ' +
      'then registering with the link is `CONFLICT`. `RATE_LIMIT_EXCEEDED` with `details.limit` ' +
      '`mails`, where the service sends mail, after 10 invitations in 15 minutes of the account, or of one e-mail.',
    callers: ['owner'],
    permission: 'admin',
    body: InviteMemberBody,
    responses: { 201: CREATED },
  },
  listInvitations: {
    method: 'get',
    path: '/v1/invitations',
    tag: 'Account',
    summary: 'List the invitations to the account, newest first',
    description: 'Owner only. Includes expired invitations; accepted ones are members.',
    callers: ['owner'],
    isNeverLimited: true,
    query: PageQuery,
    responses: { 200: LISTED },
  },
  deleteInvitation: {
    method: 'delete',
    path: '/v1/invitations/{id}',
    tag: 'Account',
    summary: 'Withdraw an invitation to the account',
    description: 'Owner only, as an admin. Its link no longer works.',
    callers: ['owner'],
    isNeverLimited: true,
    permission: 'admin',
    params: IdParams,
    responses: { 204: DELETED },
  },
} as const satisfies RouteSpecs

export const OWNER_INVITATION_SPECS = {
  inviteOwner: {
    method: 'post',
    path: '/v1/operator/invitations',
    tag: 'Operator',
    summary: 'Invite a person to open an account',
    description:
      `Operator only. ${HOW}. \`CONFLICT\` for the e-mail of a person who has an account. ` +
      '`FORBIDDEN` with `details.reason` `registration_closed` where `STANDING_REGISTRATION` is `closed`.',
    callers: ['operator'],
    body: InviteOwnerBody,
    responses: { 201: CREATED },
  },
  listOwnerInvitations: {
    method: 'get',
    path: '/v1/operator/invitations',
    tag: 'Operator',
    summary: 'List the invitations to open an account, newest first',
    description: 'Operator only. Includes expired invitations; accepted ones are owners.',
    callers: ['operator'],
    query: PageQuery,
    responses: { 200: LISTED },
  },
  deleteOwnerInvitation: {
    method: 'delete',
    path: '/v1/operator/invitations/{id}',
    tag: 'Operator',
    summary: 'Withdraw an invitation to open an account',
    description: 'Operator only. Its link no longer works.',
    callers: ['operator'],
    params: IdParams,
    responses: { 204: DELETED },
  },
} as const satisfies RouteSpecs

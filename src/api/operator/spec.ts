import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { Agent } from '../agents/schema.ts'
import { Email, ManagedOwner, OwnerStatusName, ServiceTierName } from '../owners/schema.ts'
import { listOf, PageQuery } from '../paging.ts'
import { IdParams, Reason, Time } from '../wire.ts'

const UpdateOwnerBody = z
  .strictObject({
    tier: ServiceTierName.optional().openapi({ example: 'growth' }),
    status: OwnerStatusName.exclude(['erased']).optional(),
    reason: Reason.optional(),
  })
  .openapi('UpdateOwner')

const OwnerList = listOf(ManagedOwner, 'OwnerList')

const ResetLinkBody = z.strictObject({ email: Email }).openapi('CreateResetLink')

const ResetLink = z
  .object({
    link: z.string().openapi({
      description: 'Where the person sets a new password. It works once.',
      example:
        'https://standing.example.com/reset-password?token=Wl2Yq3mXv0nq7J4kq8bCkT5yq6dW1sVYp9aE',
    }),
    expiresAt: Time,
  })
  .openapi('ResetLink')

const SetStatusBody = z
  .strictObject({ status: z.enum(['active', 'suspended']), reason: Reason })
  .openapi('SetStatus')

export const OPERATOR_SPECS = {
  listOwners: {
    method: 'get',
    path: '/v1/operator/owners',
    tag: 'Operator',
    summary: 'List the owners, newest first, or find one by e-mail',
    description:
      'Operator only. With `email` returns the owner with that e-mail, or an empty list.',
    callers: ['operator'],
    query: PageQuery.extend({
      email: Email.optional().openapi({ description: 'Only the owner with this e-mail.' }),
    }),
    responses: { 200: { description: 'A page of owners', schema: OwnerList } },
  },
  updateOwner: {
    method: 'patch',
    path: '/v1/operator/owners/{id}',
    tag: 'Operator',
    summary: 'Move an owner to another tier, suspend an owner or end the suspension',
    description:
      "Operator only. Takes effect with the next request of the owner and of the owner's agents. While " +
      'an owner is suspended, every token and API key of the account and of its agents gets ' +
      '`FORBIDDEN` with `details.reason` `owner_suspended`; platforms can still report about the ' +
      'agents, and scores stay public.',
    callers: ['operator'],
    params: IdParams,
    body: UpdateOwnerBody,
    responses: { 200: { description: 'The owner', schema: ManagedOwner } },
    errors: ['CONFLICT'],
  },
  createResetLink: {
    method: 'post',
    path: '/v1/operator/password-resets',
    tag: 'Operator',
    summary: 'Create a link to a new password',
    description:
      'Operator only. For a person who forgot the password, where the service sends no mail. The link ' +
      'works once, within an hour, and ends the links before it. `NOT_FOUND` when no one has the e-mail.',
    callers: ['operator'],
    body: ResetLinkBody,
    responses: { 201: { description: 'The link', schema: ResetLink } },
    errors: ['NOT_FOUND'],
  },
  setAgentStatus: {
    method: 'patch',
    path: '/v1/operator/agents/{id}',
    tag: 'Operator',
    summary: 'Suspend an agent, or reactivate it',
    description:
      'Operator only. A suspended agent cannot report events; platforms can still report about it. ' +
      '`FORBIDDEN` for a deactivated agent.',
    callers: ['operator'],
    params: IdParams,
    body: SetStatusBody,
    responses: { 200: { description: 'The agent', schema: Agent } },
  },
} as const satisfies RouteSpecs

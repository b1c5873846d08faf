import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { Agent } from '../agents/schema.ts'
import { Email, Owner, ServiceTierName } from '../owners/schema.ts'
import { listOf, PageQuery } from '../paging.ts'
import { IdParams, Reason } from '../wire.ts'

const SetTierBody = z.strictObject({ tier: ServiceTierName }).openapi('SetTier')

const OwnerList = listOf(Owner, 'OwnerList')

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
  setOwnerTier: {
    method: 'patch',
    path: '/v1/operator/owners/{id}',
    tag: 'Operator',
    summary: 'Move an owner to another tier',
    description:
      "Operator only. Takes effect with the next request of the owner and of the owner's agents.",
    callers: ['operator'],
    params: IdParams,
    body: SetTierBody,
    responses: { 200: { description: 'The owner', schema: Owner } },
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

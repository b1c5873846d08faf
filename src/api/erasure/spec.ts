import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { JSON_LINES_TYPE } from '../caching.ts'
import { EXAMPLE_ID, Id, IdParams, Time } from '../wire.ts'

const Erasure = z
  .object({
    subjectId: Id.openapi({ description: 'The id of the owner or of the agent.' }),
    kind: z.enum(['owner', 'agent']),
    status: z.enum(['running', 'done']).openapi({
      description:
        '`running` while events, notifications and audit entries are erased. What others may read is ' +
        'gone when the response is sent.',
    }),
    createdAt: Time,
    finishedAt: Time.nullable(),
  })
  .openapi('Erasure')

const EraseAccountBody = z
  .strictObject({
    confirm: z.string().max(254).openapi({
      example: 'ada@example.com',
      description: 'The e-mail of the account, because an erasure cannot be undone.',
    }),
  })
  .openapi('EraseAccount')

const EraseAgentBody = z
  .strictObject({
    confirm: z.string().max(254).openapi({
      example: EXAMPLE_ID,
      description: 'The id of the agent, because an erasure cannot be undone.',
    }),
  })
  .openapi('EraseAgent')

const ERASES =
  'Names, e-mails, metadata, claims, webhook addresses, free text in events and reviews, and client ' +
  'addresses in the audit log are erased. Scores, and what they are computed from, stay, so that ' +
  'receipts still verify. Asked for again, returns the same erasure.'

const EXPORT = {
  200: {
    description: 'One object per line, each with its `kind`',
    schema: z.string(),
    contentType: JSON_LINES_TYPE,
  },
} as const

const ACCEPTED = { 202: { description: 'The erasure', schema: Erasure } } as const
const SHOWN = { 200: { description: 'The erasure', schema: Erasure } } as const

export const ERASURE_SPECS = {
  exportAccount: {
    method: 'get',
    path: '/v1/auth/export',
    tag: 'Auth',
    summary: 'Export everything about the account',
    description:
      'Owner only. Returns JSON lines: the account, its members, keys, invitations, webhooks, policies, ' +
      'watches, transfers and agents, and of each agent the identifiers, credentials, events and scores; ' +
      'and the sessions of the person who asks. No secrets.',
    callers: ['owner'],
    responses: EXPORT,
  },
  eraseAccount: {
    method: 'post',
    path: '/v1/auth/erasure',
    tag: 'Auth',
    summary: 'Erase the account and its agents',
    description:
      'Owner only, and only the person who opened the account: `FORBIDDEN` with `details.reason` ' +
      `\`not_account_owner\` for others. ${ERASES}`,
    callers: ['owner'],
    permission: 'admin',
    body: EraseAccountBody,
    responses: ACCEPTED,
  },
  exportAgent: {
    method: 'get',
    path: '/v1/agents/{id}/export',
    tag: 'Agents',
    summary: 'Export everything about an agent',
    description:
      'The agent itself, its owner and the operator only; `FORBIDDEN` for other callers. Returns JSON lines.',
    callers: ['agent', 'owner', 'operator'],
    params: IdParams,
    responses: EXPORT,
  },
  eraseAgent: {
    method: 'post',
    path: '/v1/agents/{id}/erasure',
    tag: 'Agents',
    summary: 'Deactivate an agent and erase its personal data',
    description: `The owner as an admin, and the operator. ${ERASES}`,
    callers: ['owner', 'operator'],
    permission: 'admin',
    params: IdParams,
    body: EraseAgentBody,
    responses: ACCEPTED,
  },
  getAgentErasure: {
    method: 'get',
    path: '/v1/agents/{id}/erasure',
    tag: 'Agents',
    summary: 'Get how far the erasure of an agent is',
    description: 'The owner and the operator. `NOT_FOUND` where none was asked for.',
    callers: ['owner', 'operator'],
    params: IdParams,
    responses: SHOWN,
  },
  exportOwner: {
    method: 'get',
    path: '/v1/operator/owners/{id}/export',
    tag: 'Operator',
    summary: 'Export everything about an owner',
    description:
      'Operator only. The same lines as `GET /v1/auth/export`, with the sessions of all members.',
    callers: ['operator'],
    params: IdParams,
    responses: EXPORT,
  },
  eraseOwner: {
    method: 'post',
    path: '/v1/operator/owners/{id}/erasure',
    tag: 'Operator',
    summary: 'Erase an owner and its agents',
    description: `Operator only. ${ERASES}`,
    callers: ['operator'],
    params: IdParams,
    body: EraseAccountBody,
    responses: ACCEPTED,
  },
  getOwnerErasure: {
    method: 'get',
    path: '/v1/operator/owners/{id}/erasure',
    tag: 'Operator',
    summary: 'Get how far the erasure of an owner is',
    description: 'Operator only. `NOT_FOUND` where none was asked for.',
    callers: ['operator'],
    params: IdParams,
    responses: SHOWN,
  },
} as const satisfies RouteSpecs

import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import { IdParams } from '../wire.ts'
import { AcceptedTransfer, OfferBody, TransferList, TransferRecord } from './schema.ts'

const TRANSFER = { description: 'The transfer', schema: TransferRecord }

const OVER =
  '`CONFLICT` with `details.reason` `transfer_accepted`, `transfer_declined`, `transfer_withdrawn` or ' +
  '`transfer_expired` when the offer is over.'

const UNCONFIRMED =
  '`FORBIDDEN` with `details.reason` `email_not_confirmed` for an offer to an e-mail that the account has ' +
  'not confirmed, where the service sends mail.'

export const TRANSFER_SPECS = {
  offerAgent: {
    method: 'post',
    path: '/v1/agents/{id}/transfers',
    tag: 'Agents',
    summary: 'Offer an agent to another owner',
    description:
      'The owner of the agent only, as an admin. The other owner accepts within seven days; until then ' +
      'nothing changes. The response is the same whether or not an account has the e-mail. `CONFLICT` ' +
      'with `details.reason` `transfer_pending` while the agent is on offer already, and ' +
      '`agent_has_children` while other agents act for it.',
    callers: ['owner'],
    permission: 'admin',
    params: IdParams,
    body: OfferBody,
    responses: { 201: { description: 'The offer', schema: TransferRecord } },
  },
  listTransfers: {
    method: 'get',
    path: '/v1/transfers',
    tag: 'Agents',
    summary: 'List the offers that the account made or was made, newest first',
    description: 'Owner only.',
    callers: ['owner'],
    query: PageQuery,
    responses: { 200: { description: 'A page of transfers', schema: TransferList } },
  },
  getTransfer: {
    method: 'get',
    path: '/v1/transfers/{id}',
    tag: 'Agents',
    summary: 'Get an offer',
    description: 'The owner that made it and the owner that it is made to.',
    callers: ['owner'],
    params: IdParams,
    responses: { 200: TRANSFER },
  },
  acceptTransfer: {
    method: 'post',
    path: '/v1/transfers/{id}/accept',
    tag: 'Agents',
    summary: 'Accept an agent from another owner',
    description:
      'The owner that it is offered to only, as an admin. The agent keeps its id, its events and its ' +
      'score history. Every key of it stops working and the response has its new key, its credentials ' +
      'are revoked, and its identifiers have to be proven again. Its tenure begins again, so its score ' +
      'falls until it has worked well for the new owner. `FORBIDDEN` with `details.limit` `max_agents` ' +
      `when the account has no room for another agent. ${UNCONFIRMED} ${OVER} ` +
      'And with `agent_has_children` while other agents act for it.',
    callers: ['owner'],
    permission: 'admin',
    params: IdParams,
    responses: {
      200: { description: 'The agent and its new API key', schema: AcceptedTransfer },
    },
  },
  declineTransfer: {
    method: 'post',
    path: '/v1/transfers/{id}/decline',
    tag: 'Agents',
    summary: 'Decline an agent from another owner',
    description: `The owner that it is offered to only, as an admin. ${UNCONFIRMED} ${OVER}`,
    callers: ['owner'],
    permission: 'admin',
    params: IdParams,
    responses: { 200: TRANSFER },
  },
  withdrawTransfer: {
    method: 'delete',
    path: '/v1/transfers/{id}',
    tag: 'Agents',
    summary: 'Withdraw an offer',
    description: `The owner that made it only, as an admin. ${OVER}`,
    callers: ['owner'],
    permission: 'admin',
    params: IdParams,
    responses: { 200: TRANSFER },
  },
} as const satisfies RouteSpecs

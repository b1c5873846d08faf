import type { Authenticator } from '../../auth/authenticate.ts'
import type { Context } from '../../context.ts'
import { forbidden, notFound } from '../../domain/error.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { changeStatus } from '../../identity/agents.ts'
import type { ScoreCache } from '../../scoring/score-cache.ts'
import { Agent, presentAgent } from '../agents/schema.ts'
import { audit } from '../audit/routes.ts'
import { Email, Owner, presentOwner, ServiceTierName } from '../owners/schema.ts'
import { IdParams, listOf, PageQuery, pageAnswer, pageOf } from '../wire.ts'

const SetTierBody = z.strictObject({ tier: ServiceTierName }).openapi('SetTier')

const OwnerList = listOf(Owner, 'OwnerList')

export const Reason = z.string().trim().min(1).max(500).openapi({ example: 'Verified by phone.' })

const SetStatusBody = z
  .strictObject({ status: z.enum(['active', 'suspended']), reason: Reason })
  .openapi('SetStatus')

export interface OperatorRoutesOptions {
  readonly context: Context
  readonly authenticator: Authenticator
  readonly scores: ScoreCache
}

export function operatorRoutes(options: OperatorRoutesOptions): readonly Route[] {
  const { context, authenticator, scores } = options
  const { store, cursors } = context

  const listOwners = route({
    method: 'get',
    path: '/v1/operator/owners',
    operationId: 'listOwners',
    tag: 'Operator',
    summary: 'List the owners, newest first, or find one by e-mail',
    description: 'With `email` the one owner who has it, or none.',
    callers: ['operator'],
    query: PageQuery.extend({
      email: Email.optional().openapi({ description: 'Of the owner looked for.' }),
    }),
    answers: { 200: { description: 'A page of owners', schema: OwnerList } },
    async handle({ query }) {
      const { email } = query
      const name = { list: 'owners', email }
      const { position, limit } = pageOf<[string]>(cursors, query, name)
      const page =
        email === undefined
          ? await store.owners.list(position?.[0] ?? null, limit)
          : {
              rows: [await store.owners.findByEmail(email)].filter((one) => one !== null),
              more: false,
            }
      return pageAnswer(cursors, page, name, presentOwner, ({ id }) => [id])
    },
  })

  const setTier = route({
    method: 'patch',
    path: '/v1/operator/owners/{id}',
    operationId: 'setOwnerTier',
    tag: 'Operator',
    summary: 'Move an owner to another tier',
    description:
      "Takes effect with the next request of the owner and of each of the owner's agents.",
    callers: ['operator'],
    params: IdParams,
    body: SetTierBody,
    answers: { 200: { description: 'The owner', schema: Owner } },
    async handle({ caller, params: { id }, body, transact }) {
      const answer = await transact(async (within) => {
        const owner = await within.owners.setTier(id, body.tier)
        if (!owner) {
          throw notFound('owner')
        }
        await audit(within, context, caller, 'owner.tier_set', { kind: 'owner', id }, body)
        return ok(presentOwner(owner))
      })
      authenticator.forget(id)
      return answer
    },
  })

  const setStatus = route({
    method: 'patch',
    path: '/v1/operator/agents/{id}',
    operationId: 'setAgentStatus',
    tag: 'Operator',
    summary: 'Suspend an agent, or let it go on',
    description: 'A suspended agent cannot report; platforms may still report about it.',
    callers: ['operator'],
    params: IdParams,
    body: SetStatusBody,
    answers: { 200: { description: 'The agent', schema: Agent } },
    async handle({ caller, params: { id }, body, transact }) {
      const answer = await transact(async (within) => {
        const agent = await within.agents.find(id)
        if (!agent) {
          throw notFound('agent')
        }
        if (agent.status === 'deactivated') {
          throw forbidden('a deactivated agent stays deactivated', { reason: 'agent_deactivated' })
        }
        const changed = await changeStatus(within, context, agent, body)
        await audit(within, context, caller, 'agent.status_set', { kind: 'agent', id }, body)
        return ok(presentAgent(changed))
      })
      authenticator.forget(id)
      scores.forget(id)
      return answer
    },
  })

  return [listOwners, setTier, setStatus]
}

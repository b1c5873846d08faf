import type { Authenticator } from '../../auth/authenticate.ts'
import { issueKey, rotateKey } from '../../auth/rotate-key.ts'
import type { Context } from '../../context.ts'
import { forbidden, notFound } from '../../domain/error.ts'
import { created, ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { changeStatus, ownAgent, registerAgent, updateAgent } from '../../identity/agents.ts'
import type { ScoreCache } from '../../scoring/score-cache.ts'
import { audit } from '../audit/routes.ts'
import { IdParams, PageQuery, pageAnswer, pageOf, time } from '../wire.ts'
import {
  Agent,
  AgentList,
  AgentWithKey,
  PublicAgent,
  presentAgent,
  presentPublicAgent,
  RegisterAgentBody,
  RotatedKey,
  RotateKeyBody,
  UpdateAgentBody,
} from './schema.ts'

export interface AgentRoutesOptions {
  readonly context: Context
  readonly authenticator: Authenticator
  readonly scores: ScoreCache
}

const AGENT = { description: 'The agent', schema: Agent }

export function agentRoutes({
  context,
  authenticator,
  scores,
}: AgentRoutesOptions): readonly Route[] {
  const { store, cursors, now } = context

  const register = route({
    method: 'post',
    path: '/v1/agents',
    operationId: 'registerAgent',
    tag: 'Agents',
    summary: 'Register a new agent',
    description: 'The answer alone carries the API key of the agent.',
    callers: ['owner'],
    body: RegisterAgentBody,
    answers: { 201: { description: 'The agent, with its key', schema: AgentWithKey } },
    handle: ({ caller, body, transact }) =>
      transact(async (within) => {
        const agent = await registerAgent(within, context, caller.ownerId, body)
        const apiKey = await issueKey(within, 'agent', agent.id, now())
        await audit(within, context, caller, 'agent.key_issued', target(agent.id))
        return created({ ...presentAgent(agent), apiKey })
      }),
  })

  const list = route({
    method: 'get',
    path: '/v1/agents',
    operationId: 'listAgents',
    tag: 'Agents',
    summary: "List the owner's agents, newest first",
    description: 'Deactivated agents stay in the list.',
    callers: ['owner'],
    query: PageQuery,
    answers: { 200: { description: 'A page of agents', schema: AgentList } },
    async handle({ caller, query }) {
      const name = { list: 'agents', ownerId: caller.ownerId }
      const { position, limit } = pageOf<[string]>(cursors, query, name)
      const page = await store.agents.list(caller.ownerId, position?.[0] ?? null, limit)
      return pageAnswer(cursors, page, name, presentAgent, ({ id }) => [id])
    },
  })

  const me = route({
    method: 'get',
    path: '/v1/agents/me',
    operationId: 'getOwnAgent',
    tag: 'Agents',
    summary: 'The agent that the API key belongs to',
    description: 'Its whole record, metadata included.',
    callers: ['agent'],
    answers: { 200: AGENT },
    async handle({ caller }) {
      const agent = await store.agents.find(caller.agentId)
      if (!agent) {
        throw notFound('agent')
      }
      return ok(presentAgent(agent))
    },
  })

  const get = route({
    method: 'get',
    path: '/v1/agents/{id}',
    operationId: 'getAgent',
    tag: 'Agents',
    summary: 'Get an agent',
    description:
      'An agent reads all of itself and the public part of others; an owner all of his own agents.',
    callers: ['agent', 'owner', 'operator'],
    params: IdParams,
    answers: {
      200: { description: 'The agent, or its public part', schema: Agent.or(PublicAgent) },
    },
    async handle({ caller, params }) {
      const agent = await store.agents.find(params.id)
      if (!agent) {
        throw notFound('agent')
      }
      switch (caller.kind) {
        case 'operator':
          return ok(presentAgent(agent))
        case 'agent':
          return ok(caller.agentId === agent.id ? presentAgent(agent) : presentPublicAgent(agent))
        case 'owner':
          if (caller.ownerId === agent.ownerId) {
            return ok(presentAgent(agent))
          }
          throw forbidden('this agent belongs to another owner')
      }
    },
  })

  const update = route({
    method: 'patch',
    path: '/v1/agents/{id}',
    operationId: 'updateAgent',
    tag: 'Agents',
    summary: "Change an agent's display name or metadata",
    description:
      'Metadata that is given replaces all there was. What is left out, or is so already, stays.',
    callers: ['owner'],
    params: IdParams,
    body: UpdateAgentBody,
    answers: { 200: AGENT },
    handle: ({ caller, params, body, transact }) =>
      transact(async (within) => {
        const agent = await ownAgent(within, caller.ownerId, params.id)
        if (agent.status === 'deactivated') {
          throw forbidden('this agent is deactivated', { reason: 'agent_deactivated' })
        }
        return ok(presentAgent(await updateAgent(within, context, agent, body)))
      }),
  })

  const deactivate = route({
    method: 'delete',
    path: '/v1/agents/{id}',
    operationId: 'deactivateAgent',
    tag: 'Agents',
    summary: 'Deactivate an agent for good',
    description:
      'Its key stops working, no event is taken, its credentials are revoked; its score stays ' +
      'readable. A new agent of the same owner starts no higher than this one stood.',
    callers: ['owner'],
    params: IdParams,
    answers: { 200: AGENT },
    async handle({ caller, params, transact }) {
      const answer = await transact(async (within) => {
        const agent = await ownAgent(within, caller.ownerId, params.id)
        const change = { status: 'deactivated', reason: null } as const
        const changed = await changeStatus(within, context, agent, change)
        await audit(within, context, caller, 'agent.deactivated', target(agent.id))
        return ok(presentAgent(changed))
      })
      authenticator.forget(params.id)
      scores.forget(params.id)
      return answer
    },
  })

  const rotate = route({
    method: 'post',
    path: '/v1/agents/{id}/rotate-key',
    operationId: 'rotateAgentKey',
    tag: 'Agents',
    summary: 'Give an agent a new API key',
    description: 'The key before works on for an hour, or for `overlapSeconds`.',
    callers: ['owner'],
    params: IdParams,
    body: RotateKeyBody,
    answers: { 201: { description: 'The new key', schema: RotatedKey } },
    async handle({ caller, params, body, transact }) {
      const answer = await transact(async (within) => {
        const agent = await ownAgent(within, caller.ownerId, params.id)
        if (agent.status === 'deactivated') {
          throw forbidden('this agent is deactivated', { reason: 'agent_deactivated' })
        }
        const rotated = await rotateKey(within, 'agent', agent.id, now(), body?.overlapSeconds)
        await audit(within, context, caller, 'agent.key_rotated', target(agent.id))
        const { apiKey, previousKeyExpiresAt } = rotated
        return created({ apiKey, previousKeyExpiresAt: time(previousKeyExpiresAt) })
      })
      authenticator.forget(params.id)
      return answer
    },
  })

  return [register, list, me, get, update, deactivate, rotate]
}

function target(id: string) {
  return { kind: 'agent', id }
}

import type { RouteSpecs } from '../../http/route.ts'
import { IdParams } from '../wire.ts'
import {
  Agent,
  AgentList,
  AgentsQuery,
  AgentWithKey,
  PublicAgent,
  RegisterAgentBody,
  RotatedKey,
  RotateKeyBody,
  SuccessorBody,
  UpdateAgentBody,
} from './schema.ts'

const AGENT = { description: 'The agent', schema: Agent }

export const AGENT_SPECS = {
  registerAgent: {
    method: 'post',
    path: '/v1/agents',
    tag: 'Agents',
    summary: 'Register an agent',
    description:
      'Owner only. Returns the agent and its API key, which is shown only in this response. ' +
      "`FORBIDDEN` with `details.limit` `max_agents` when the owner's tier has no room for another " +
      'agent; `RATE_LIMIT_EXCEEDED` with `details.limit` `registrations_per_day` when too many were ' +
      'registered today. With `parentId` the agent acts for another one: `VALIDATION_ERROR` unless that is an active ' +
      'agent of the account with fewer than three agents above it, `FORBIDDEN` with `details.limit` ' +
      '`max_children` when a hundred agents act for it already.',
    callers: ['owner'],
    body: RegisterAgentBody,
    responses: { 201: { description: 'The agent and its API key', schema: AgentWithKey } },
  },
  listAgents: {
    method: 'get',
    path: '/v1/agents',
    tag: 'Agents',
    summary: "List the owner's agents, newest first",
    description: 'Owner only. Includes suspended and deactivated agents.',
    callers: ['owner'],
    query: AgentsQuery,
    responses: { 200: { description: 'A page of agents', schema: AgentList } },
  },
  getOwnAgent: {
    method: 'get',
    path: '/v1/agents/me',
    tag: 'Agents',
    summary: 'Get the agent of the API key',
    description: 'Agent only. Returns the full record, metadata included.',
    callers: ['agent'],
    responses: { 200: AGENT },
  },
  getAgent: {
    method: 'get',
    path: '/v1/agents/{id}',
    tag: 'Agents',
    summary: 'Get an agent',
    description:
      'Agents, owners and the operator. An agent gets its own full record and the public fields of ' +
      "any other agent. An owner gets the full record of the owner's agents; `FORBIDDEN` for others.",
    callers: ['agent', 'owner', 'operator'],
    params: IdParams,
    responses: {
      200: { description: 'The agent, or its public fields', schema: Agent.or(PublicAgent) },
    },
  },
  updateAgent: {
    method: 'patch',
    path: '/v1/agents/{id}',
    tag: 'Agents',
    summary: "Change an agent's display name, metadata or public profile",
    description:
      'The owner of the agent only. Fields that are left out keep their value; `metadata` replaces ' +
      'the stored metadata as a whole; `publicProfile` shows or hides the profile. `FORBIDDEN` with `details.reason` `agent_deactivated` for a ' +
      'deactivated agent.',
    callers: ['owner'],
    params: IdParams,
    body: UpdateAgentBody,
    responses: { 200: AGENT },
  },
  deactivateAgent: {
    method: 'delete',
    path: '/v1/agents/{id}',
    tag: 'Agents',
    summary: 'Deactivate an agent permanently',
    description:
      'The owner of the agent only. Its API key stops working, it accepts no more events, and its ' +
      'credentials are revoked. Its score stays readable. The next agent of the same owner starts no ' +
      'higher than the final score of this one.',
    callers: ['owner'],
    isNeverLimited: true,
    params: IdParams,
    responses: { 200: AGENT },
  },
  registerSuccessor: {
    method: 'post',
    path: '/v1/agents/{id}/successor',
    tag: 'Agents',
    summary: 'Replace an agent by a new one that carries its record',
    description:
      'The owner of the agent only. Returns the new agent and its API key, which is shown only in this ' +
      'response. The new agent begins with everything that was reported of the old one, good and bad, ' +
      'with half of its tenure and with no credential; the names and the watchers of the old one pass to ' +
      'it. The old agent is deactivated, and reports on it are refused with `details.successorId`. ' +
      '`CONFLICT` with `details.reason` `events_awaiting_review` while quarantined events of the old ' +
      'agent are not decided on.',
    callers: ['owner'],
    params: IdParams,
    body: SuccessorBody,
    responses: { 201: { description: 'The new agent and its API key', schema: AgentWithKey } },
  },
  rotateAgentKey: {
    method: 'post',
    path: '/v1/agents/{id}/rotate-key',
    tag: 'Agents',
    summary: 'Create a new API key for an agent',
    description:
      'The owner of the agent only. Returns the new key, which is shown only in this response. The ' +
      'previous key keeps working for `overlapSeconds`, one hour by default.',
    callers: ['owner'],
    isNeverLimited: true,
    params: IdParams,
    body: RotateKeyBody,
    responses: { 201: { description: 'The new key', schema: RotatedKey } },
  },
} as const satisfies RouteSpecs

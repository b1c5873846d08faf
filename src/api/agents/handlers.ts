import { audit } from '../../audit/audit.ts'
import { existingAgent, lockOwnAgent, mayReadAll } from '../../auth/access.ts'
import { issueKey, rotateKey } from '../../auth/rotate-key.ts'
import type { Context } from '../../context.ts'
import { ofOtherOwner } from '../../domain/error.ts'
import { created, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import * as agents from '../../identity/agents.ts'
import { registerChild } from '../../identity/delegation.ts'
import { registerSuccessor as replacement } from '../../identity/succession.ts'
import type { Recorder } from '../../ingest/record-reports.ts'
import { keysOfEach } from '../key-records.ts'
import { idOf, pageByKey } from '../paging.ts'
import { presentAgent, presentPublicAgent, presentRotatedKey } from './present.ts'
import { AGENT_SPECS } from './spec.ts'
import { presentWithKeys } from './with-keys.ts'

export interface AgentDeps extends Context {
  readonly recorder: Recorder
}

export function agentRoutes(deps: AgentDeps): readonly Route[] {
  return bind(AGENT_SPECS, deps, {
    registerAgent,
    listAgents,
    getOwnAgent,
    getAgent,
    updateAgent,
    deactivateAgent,
    registerSuccessor,
    rotateAgentKey,
  })
}

type In<Name extends keyof typeof AGENT_SPECS> = InputOf<(typeof AGENT_SPECS)[Name]>

function registerAgent(deps: AgentDeps, { caller, body, transact }: In<'registerAgent'>) {
  return transact(async (within) => {
    const { ownerId } = caller
    const { parentId, ...given } = body
    const agent =
      parentId === null
        ? await agents.registerAgent(within, deps, ownerId, given)
        : await registerChild(within, deps.recorder, ownerId, { ...given, parentId })
    const apiKey = await issueKey(within, { kind: 'agent', id: agent.id }, deps.now())
    const presented = await presentWithKeys(within, agent)
    await audit(within, deps, caller, { action: 'agent.key_issued', target: target(agent.id) })
    return created({ ...presented, apiKey })
  })
}

async function listAgents({ store, cursors }: Context, { caller, query }: In<'listAgents'>) {
  const { ownerId } = caller
  const { parentId } = query
  const filter = { list: 'agents', ownerId, parentId }
  const { after, limit, respond } = pageByKey(cursors, query, filter)
  const page = await store.agents.list({ ownerId, parentId }, after, limit)
  const keysFor = await keysOfEach(store, page.rows)
  return respond(page, (row) => presentAgent(row, keysFor(row)), idOf)
}

async function getOwnAgent(deps: Context, { caller }: In<'getOwnAgent'>) {
  const { store } = deps
  return ok(await presentWithKeys(store, await existingAgent(store, caller.agentId)))
}

async function getAgent(deps: Context, { caller, params }: In<'getAgent'>) {
  const { store } = deps
  const agent = await existingAgent(store, params.id)
  if (mayReadAll(caller, { agentId: agent.id, ownerId: agent.ownerId })) {
    return ok(await presentWithKeys(store, agent))
  }
  if (caller.kind === 'agent') {
    return ok(presentPublicAgent(agent))
  }
  throw ofOtherOwner('this agent belongs to another owner')
}

function updateAgent(deps: Context, { caller, params, body, transact }: In<'updateAgent'>) {
  return transact(async (within) => {
    const agent = await agents.lockOwnLivingAgent(within, caller.ownerId, params.id)
    const { publicProfile: hasPublicProfile, ...fields } = body
    const patch = { ...fields, hasPublicProfile }
    const updated = await agents.updateAgent(within, deps, agent, patch)
    return ok(await presentWithKeys(within, updated))
  })
}

function deactivateAgent(deps: Context, input: In<'deactivateAgent'>) {
  const { caller, params, transact } = input
  return transact(async (within) => {
    const { agent } = await lockOwnAgent(within, caller.ownerId, params.id)
    const change = { status: 'deactivated', reason: null } as const
    const changed = await agents.changeStatus(within, deps, agent, change)
    const presented = await presentWithKeys(within, changed)
    await audit(within, deps, caller, { action: 'agent.deactivated', target: target(agent.id) })
    return ok(presented)
  })
}

function registerSuccessor(deps: AgentDeps, input: In<'registerSuccessor'>) {
  const { caller, params, body = {}, transact } = input
  return transact(async (within) => {
    const replaced = { ownerId: caller.ownerId, predecessorId: params.id }
    const agent = await replacement(within, deps.recorder, replaced, body)
    const apiKey = await issueKey(within, { kind: 'agent', id: agent.id }, deps.now())
    const presented = await presentWithKeys(within, agent)
    const details = { predecessorId: params.id }
    await audit(within, deps, caller, {
      action: 'agent.succeeded',
      target: target(agent.id),
      details,
    })
    return created({ ...presented, apiKey })
  })
}

function rotateAgentKey(deps: Context, input: In<'rotateAgentKey'>) {
  const { caller, params, body, transact } = input
  return transact(async (within) => {
    const { id } = await agents.lockOwnLivingAgent(within, caller.ownerId, params.id)
    const rotated = await rotateKey(within, { kind: 'agent', id }, deps.now(), body?.overlapSeconds)
    await audit(within, deps, caller, { action: 'agent.key_rotated', target: target(id) })
    return created(presentRotatedKey(rotated))
  })
}

function target(id: string) {
  return { kind: 'agent', id }
}

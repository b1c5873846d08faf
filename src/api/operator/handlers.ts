import { audit } from '../../audit/audit.ts'
import { existingAgent } from '../../auth/access.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../domain/error.ts'
import { created, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { changeStatus } from '../../identity/agents.ts'
import { issueToken, linkTo } from '../../identity/links.ts'
import { targetOf } from '../../identity/login.ts'
import { updateOwner as update } from '../../identity/owners.ts'
import { presentWithKeys } from '../agents/with-keys.ts'
import { presentManagedOwner } from '../owners/present.ts'
import { idOf, pageByKey } from '../paging.ts'
import { time } from '../wire.ts'
import { OPERATOR_SPECS } from './spec.ts'

export interface OperatorDeps extends Context {
  readonly baseUrl: () => string
}

export function operatorRoutes(deps: OperatorDeps): readonly Route[] {
  return bind(OPERATOR_SPECS, deps, { listOwners, updateOwner, createResetLink, setAgentStatus })
}

type In<Name extends keyof typeof OPERATOR_SPECS> = InputOf<(typeof OPERATOR_SPECS)[Name]>

async function listOwners({ store, cursors }: Context, { query }: In<'listOwners'>) {
  const { email } = query
  const { after, limit, respond } = pageByKey(cursors, query, { list: 'owners', email })
  if (email === undefined) {
    const page = await store.owners.list('live', after, limit)
    return respond(page, presentManagedOwner, idOf)
  }
  const member = await store.members.find({ email })
  const owner = member && (await store.owners.find({ id: member.ownerId }))
  return respond({ rows: owner ? [owner] : [], more: false }, presentManagedOwner, idOf)
}

function updateOwner(deps: Context, input: In<'updateOwner'>) {
  const { caller, body, transact } = input
  const { id } = input.params
  return transact(async (within) => {
    const owner = await update(within, id, body)
    const action = body.status === undefined ? 'owner.tier_set' : 'owner.status_set'
    await audit(within, deps, caller, { action, target: { kind: 'owner', id }, details: body })
    return ok(presentManagedOwner(owner))
  })
}

function createResetLink(deps: OperatorDeps, { caller, body, transact }: In<'createResetLink'>) {
  return transact(async (within) => {
    const member = await within.members.find({ email: body.email })
    if (!member) {
      throw notFound('person with this e-mail')
    }
    const what = { purpose: 'password_reset', isMailed: false } as const
    const { token, expiresAt } = await issueToken(within, deps.now(), member.id, what)
    await audit(within, deps, caller, {
      action: 'owner.reset_link_created',
      target: targetOf(member),
    })
    const link = linkTo(deps.baseUrl(), 'password_reset', token)
    return created({ link, expiresAt: time(expiresAt) })
  })
}

function setAgentStatus(deps: Context, input: In<'setAgentStatus'>) {
  const { caller, body, transact } = input
  const { id } = input.params
  return transact(async (within) => {
    const agent = await existingAgent(within, id)
    const changed = await changeStatus(within, deps, agent, body)
    const presented = await presentWithKeys(within, changed)
    await audit(within, deps, caller, {
      action: 'agent.status_set',
      target: { kind: 'agent', id },
      details: body,
    })
    return ok(presented)
  })
}

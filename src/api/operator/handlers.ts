import { audit } from '../../audit/audit.ts'
import { existingAgent } from '../../auth/access.ts'
import type { Context } from '../../context.ts'
import { ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { changeStatus } from '../../identity/agents.ts'
import { setTier } from '../../identity/owners.ts'
import { presentAgent } from '../agents/schema.ts'
import { presentOwner } from '../owners/schema.ts'
import { pageOf } from '../paging.ts'
import { OPERATOR_SPECS } from './spec.ts'

export function operatorRoutes(deps: Context): readonly Route[] {
  return bind(OPERATOR_SPECS, deps, { listOwners, setOwnerTier, setAgentStatus })
}

type In<Name extends keyof typeof OPERATOR_SPECS> = InputOf<(typeof OPERATOR_SPECS)[Name]>

async function listOwners({ store, cursors }: Context, { query }: In<'listOwners'>) {
  const { email } = query
  const { position, limit, respond } = pageOf<[string]>(cursors, query, { list: 'owners', email })
  if (email === undefined) {
    const page = await store.owners.list(position?.[0] ?? null, limit)
    return respond(page, presentOwner, ({ id }) => [id])
  }
  const owner = await store.owners.findByEmail(email)
  return respond({ rows: owner ? [owner] : [], more: false }, presentOwner, ({ id }) => [id])
}

function setOwnerTier(deps: Context, input: In<'setOwnerTier'>) {
  const { caller, body, transact } = input
  const { id } = input.params
  return transact(async (within) => {
    const owner = await setTier(within, id, body.tier)
    await audit(within, deps, caller, 'owner.tier_set', { kind: 'owner', id }, body)
    return ok(presentOwner(owner))
  })
}

function setAgentStatus(deps: Context, input: In<'setAgentStatus'>) {
  const { caller, body, transact } = input
  const { id } = input.params
  return transact(async (within) => {
    const agent = await existingAgent(within, id)
    const changed = await changeStatus(within, deps, agent, body)
    await audit(within, deps, caller, 'agent.status_set', { kind: 'agent', id }, body)
    return ok(presentAgent(changed))
  })
}

import { audit } from '../../audit/audit.ts'
import { confirmCaller } from '../../auth/confirm-caller.ts'
import type { Context } from '../../context.ts'
import { noContent, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { targetOf } from '../../identity/login.ts'
import { ownMember, removeMember as remove, setRole } from '../../identity/members.ts'
import type { WebhookSources } from '../../webhooks/webhooks.ts'
import { idOf, pageByKey } from '../paging.ts'
import { presentMember } from './present.ts'
import { MEMBER_SPECS } from './spec.ts'

export interface MemberDeps extends Context, WebhookSources {}

export function memberRoutes(deps: MemberDeps): readonly Route[] {
  return bind(MEMBER_SPECS, deps, { listMembers, updateMember, removeMember })
}

type In<Name extends keyof typeof MEMBER_SPECS> = InputOf<(typeof MEMBER_SPECS)[Name]>

async function listMembers({ store, cursors }: Context, { caller, query }: In<'listMembers'>) {
  const { ownerId } = caller
  const { after, limit, respond } = pageByKey(cursors, query, {
    list: 'members',
    ownerId,
  })
  const page = await store.members.list(ownerId, after, limit)
  return respond(page, presentMember, idOf)
}

function updateMember(deps: Context, { caller, params, body, transact }: In<'updateMember'>) {
  return transact(async (within) => {
    await confirmCaller(within, caller, 'admin')
    const member = await ownMember(within, caller, params.id)
    const changed = await setRole(within, member, body.role)
    await audit(within, deps, caller, {
      action: 'member.role_set',
      target: targetOf(member),
      details: body,
    })
    return ok(presentMember(changed))
  })
}

function removeMember(deps: MemberDeps, { caller, params, transact }: In<'removeMember'>) {
  return transact(async (within) => {
    await confirmCaller(within, caller, 'admin')
    const member = await ownMember(within, caller, params.id)
    await remove(within, deps, member)
    await audit(within, deps, caller, { action: 'member.removed', target: targetOf(member) })
    return noContent()
  })
}

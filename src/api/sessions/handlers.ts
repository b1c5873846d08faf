import { audit } from '../../audit/audit.ts'
import { idleBefore } from '../../auth/idle-session.ts'
import type { Context } from '../../context.ts'
import { noContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { memberOf, targetOf } from '../../identity/login.ts'
import { endSession as end, sessionIn } from '../../identity/sessions.ts'
import { idOf, pageByKey } from '../paging.ts'
import { presentActiveSession } from './present.ts'
import { SESSION_SPECS } from './spec.ts'

export interface SessionDeps extends Context {
  readonly settings: { readonly sessionIdleMs: number | null }
}

export function sessionRoutes(deps: SessionDeps): readonly Route[] {
  return bind(SESSION_SPECS, deps, { listSessions, endSession })
}

type In<Name extends keyof typeof SESSION_SPECS> = InputOf<(typeof SESSION_SPECS)[Name]>

async function listSessions(deps: SessionDeps, { caller, query }: In<'listSessions'>) {
  const { store, cursors, now, settings } = deps
  const { id: memberId } = caller.by
  const { after, limit, respond } = pageByKey(cursors, query, {
    list: 'sessions',
    memberId,
  })
  const at = now()
  const open = { memberId, expiresAfter: at, usedAfter: idleBefore(settings.sessionIdleMs, at) }
  const page = await store.sessions.list(open, after, limit)
  const currentId = sessionIn(caller.by)
  return respond(page, (row) => presentActiveSession(row, currentId), idOf)
}

function endSession(deps: SessionDeps, { caller, params, transact }: In<'endSession'>) {
  return transact(async (within) => {
    await end(within, caller, params.id)
    const { member } = await memberOf(within, caller.by.id)
    await audit(within, deps, caller, {
      action: 'owner.session_ended',
      target: targetOf(member),
      details: {
        sessionId: params.id,
      },
    })
    return noContent()
  })
}

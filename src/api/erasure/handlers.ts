import { existingAgent, lockOwnAgent, mayReadAll, ownAgent } from '../../auth/access.ts'
import { confirmCaller } from '../../auth/confirm-caller.ts'
import type { Caller } from '../../domain/caller.ts'
import { forbidden } from '../../domain/error.ts'
import * as erasures from '../../erasure/request.ts'
import { accepted, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { existingOwner, ownerOf } from '../../identity/owners.ts'
import type { Erasure, Store } from '../../store/store.ts'
import type { OpenExports } from '../open-exports.ts'
import { time, timeOrNull } from '../wire.ts'
import { agentLines, type ExportDeps, ownerLines } from './export.ts'
import { ERASURE_SPECS } from './spec.ts'

export interface ErasureDeps extends ExportDeps {
  readonly openExports: OpenExports
  /** Begins the part of an erasure that is done in the background. */
  readonly wakeErasures: () => void
}

export function erasureRoutes(deps: ErasureDeps): readonly Route[] {
  return bind(ERASURE_SPECS, deps, {
    exportAccount,
    eraseAccount,
    exportAgent,
    eraseAgent,
    getAgentErasure,
    exportOwner,
    eraseOwner,
    getOwnerErasure,
  })
}

type In<Name extends keyof typeof ERASURE_SPECS> = InputOf<(typeof ERASURE_SPECS)[Name]>

async function exportAccount(deps: ErasureDeps, { caller }: In<'exportAccount'>) {
  const owner = await ownerOf(deps.store, caller.ownerId)
  const { by } = caller
  // The sign-ins of a person are shown to no other person, as in the list of sessions.
  const isOwn = (memberId: string) => by.kind === 'member' && by.id === memberId
  return deps.openExports.send(caller, ownerLines(deps, owner, isOwn))
}

function eraseAccount(deps: ErasureDeps, { caller, body, transact }: In<'eraseAccount'>) {
  const { ownerId } = caller
  const begun = transact(async (within) => {
    if (caller.by.id !== ownerId) {
      throw forbidden('only the person who opened the account can erase it', {
        reason: 'not_account_owner',
      })
    }
    await confirmCaller(within, caller, 'admin')
    await checkEmail(within, ownerId, body.confirm)
    return accepted(present(await erasures.eraseOwner(within, deps, caller, ownerId)))
  })
  return woken(deps, begun)
}

async function exportAgent(deps: ErasureDeps, { caller, params }: In<'exportAgent'>) {
  const agent = await existingAgent(deps.store, params.id)
  if (!mayReadAll(caller, { agentId: agent.id, ownerId: agent.ownerId })) {
    throw forbidden('only the agent itself, its owner and the operator may export it')
  }
  return deps.openExports.send(caller, agentLines(deps, agent))
}

function eraseAgent(deps: ErasureDeps, { caller, params, body, transact }: In<'eraseAgent'>) {
  const begun = transact(async (within) => {
    if (caller.kind === 'owner') {
      await confirmCaller(within, caller, 'admin')
      await lockOwnAgent(within, caller.ownerId, params.id)
    } else {
      await existingAgent(within, params.id)
    }
    erasures.checkConfirmed(body.confirm, params.id, 'the id of the agent')
    return accepted(present(await erasures.eraseAgent(within, deps, caller, params.id)))
  })
  return woken(deps, begun)
}

async function getAgentErasure({ store }: ErasureDeps, { caller, params }: In<'getAgentErasure'>) {
  await checkAgent(store, caller, params.id)
  return ok(present(await erasures.existingErasure(store, params.id)))
}

async function checkAgent(store: Store, caller: Caller, id: string): Promise<void> {
  await (caller.kind === 'owner' ? ownAgent(store, caller.ownerId, id) : existingAgent(store, id))
}

async function exportOwner(deps: ErasureDeps, { caller, params }: In<'exportOwner'>) {
  const owner = await existingOwner(deps.store, params.id)
  return deps.openExports.send(
    caller,
    ownerLines(deps, owner, () => true),
  )
}

function eraseOwner(deps: ErasureDeps, { caller, params, body, transact }: In<'eraseOwner'>) {
  const begun = transact(async (within) => {
    await checkEmail(within, params.id, body.confirm)
    return accepted(present(await erasures.eraseOwner(within, deps, caller, params.id)))
  })
  return woken(deps, begun)
}

/** Of an erased account no e-mail is left to compare with. */
async function checkEmail(within: Store, ownerId: string, confirm: string): Promise<void> {
  const { email, status } = await existingOwner(within, ownerId)
  if (status !== 'erased') {
    erasures.checkConfirmed(confirm, email, 'the e-mail of the account')
  }
}

async function getOwnerErasure({ store }: ErasureDeps, { params }: In<'getOwnerErasure'>) {
  return ok(present(await erasures.existingErasure(store, params.id)))
}

async function woken<T>({ wakeErasures }: ErasureDeps, begun: Promise<T>): Promise<T> {
  const response = await begun
  wakeErasures()
  return response
}

function present({ subjectId, kind, createdAt, finishedAt }: Erasure) {
  return {
    subjectId,
    kind,
    status: finishedAt === null ? 'running' : 'done',
    createdAt: time(createdAt),
    finishedAt: timeOrNull(finishedAt),
  }
}

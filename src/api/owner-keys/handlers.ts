import { audit } from '../../audit/audit.ts'
import { confirmCaller } from '../../auth/confirm-caller.ts'
import type { Context } from '../../context.ts'
import { created, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import {
  createOwnerKey as create,
  ownKey,
  revokeOwnerKey as revoke,
} from '../../identity/owner-keys.ts'
import type { OwnerKeyRow } from '../../store/store.ts'
import { idOf, pageByKey } from '../paging.ts'
import { timeOrNull } from '../wire.ts'
import { presentOwnerKey } from './present.ts'
import { OWNER_KEY_SPECS } from './spec.ts'

export function ownerKeyRoutes(deps: Context): readonly Route[] {
  return bind(OWNER_KEY_SPECS, deps, {
    createOwnerKey,
    listOwnerKeys,
    getOwnerKey,
    revokeOwnerKey,
  })
}

type In<Name extends keyof typeof OWNER_KEY_SPECS> = InputOf<(typeof OWNER_KEY_SPECS)[Name]>

function createOwnerKey(deps: Context, { caller, body, transact }: In<'createOwnerKey'>) {
  const { ownerId, by } = caller
  const { name, scopes, expiresAt = null } = body
  return transact(async (within) => {
    await confirmCaller(within, caller, 'admin')
    const key = { ownerId, createdBy: by.id, name, scopes, expiresAt }
    const { row, apiKey } = await create(within, deps, key)
    const details = { ownerId, name, scopes, expiresAt: timeOrNull(expiresAt) }
    await audit(within, deps, caller, { action: 'owner_key.created', target: target(row), details })
    return created({ ...presentOwnerKey(row, deps.now()), apiKey })
  })
}

async function listOwnerKeys(deps: Context, { caller, query }: In<'listOwnerKeys'>) {
  const { ownerId } = caller
  const { after, limit, respond } = pageByKey(deps.cursors, query, {
    list: 'owner-keys',
    ownerId,
  })
  const page = await deps.store.ownerKeys.list(ownerId, after, limit)
  const now = deps.now()
  return respond(page, (row) => presentOwnerKey(row, now), idOf)
}

async function getOwnerKey(deps: Context, { caller, params }: In<'getOwnerKey'>) {
  return ok(presentOwnerKey(await ownKey(deps.store, caller, params.id), deps.now()))
}

function revokeOwnerKey(deps: Context, { caller, params, transact }: In<'revokeOwnerKey'>) {
  return transact(async (within) => {
    const key = await ownKey(within, caller, params.id)
    const revoked = await revoke(within, deps, key)
    if (key.revokedAt === null) {
      await audit(within, deps, caller, {
        action: 'owner_key.revoked',
        target: target(key),
        details: { name: key.name },
      })
    }
    return ok(presentOwnerKey(revoked, deps.now()))
  })
}

function target({ id }: OwnerKeyRow) {
  return { kind: 'key', id }
}

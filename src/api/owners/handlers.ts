import { audit } from '../../audit/audit.ts'
import type { Tokens } from '../../auth/tokens.ts'
import { created, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { confirmPassword, type Login, logIn } from '../../identity/login.ts'
import { ownerOf, registerOwner as register, setPassword } from '../../identity/owners.ts'
import { presentOwner, presentSession } from './schema.ts'
import { OWNER_SPECS } from './spec.ts'

export interface OwnerDeps extends Login {
  readonly tokens: Tokens
}

export function ownerRoutes(deps: OwnerDeps): readonly Route[] {
  return bind(OWNER_SPECS, deps, { registerOwner, loginOwner, getOwner, changePassword })
}

type In<Name extends keyof typeof OWNER_SPECS> = InputOf<(typeof OWNER_SPECS)[Name]>

async function registerOwner(deps: OwnerDeps, { body, transact }: In<'registerOwner'>) {
  const { email, password, name = null } = body
  const passwordHash = await deps.passwords.hash(password)
  return transact(async (within) => {
    const owner = await register(within, deps, { email, passwordHash, name })
    return created(presentSession(owner, await deps.tokens.issue(owner)))
  })
}

async function loginOwner(deps: OwnerDeps, { body, address, transact }: In<'loginOwner'>) {
  const owner = await logIn(deps, body, address)
  return transact(async () => ok(presentSession(owner, await deps.tokens.issue(owner))))
}

async function getOwner({ store }: OwnerDeps, { caller }: In<'getOwner'>) {
  return ok(presentOwner(await ownerOf(store, caller.ownerId)))
}

async function changePassword(deps: OwnerDeps, input: In<'changePassword'>) {
  const { caller, body, address, transact } = input
  await confirmPassword(deps, caller, body.currentPassword, address)
  const passwordHash = await deps.passwords.hash(body.newPassword)
  return transact(async (within) => {
    const owner = await setPassword(within, caller.ownerId, passwordHash)
    const target = { kind: 'owner', id: owner.id }
    await audit(within, deps, caller, 'owner.password_changed', target)
    return ok(presentSession(owner, await deps.tokens.issue(owner)))
  })
}

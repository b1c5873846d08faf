import { audit } from '../../audit/audit.ts'
import { confirmCaller } from '../../auth/confirm-caller.ts'
import type { Tokens } from '../../auth/tokens.ts'
import { accountLimits } from '../../domain/limits.ts'
import { created, noContent, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { confirmPassword, type Login, logIn, targetOf } from '../../identity/login.ts'
import { hashNewPassword } from '../../identity/new-password.ts'
import { ownerOf } from '../../identity/owners.ts'
import { setPassword } from '../../identity/password.ts'
import { prepareRegistration, type RegistrationDeps } from '../../identity/registration.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { AccountMember, Store } from '../../store/store.ts'
import { presentMember } from '../members/present.ts'
import { presentOwnerKey } from '../owner-keys/present.ts'
import { presentManagedOwner, presentSession } from './present.ts'
import { OWNER_SPECS } from './spec.ts'

export interface OwnerDeps extends Login, RegistrationDeps {
  readonly settings: RegistrationDeps['settings'] & Parameters<typeof accountLimits>[1]
  readonly tokens: Tokens
  /** Null where the service sends no mail. */
  readonly mailer: Mailer | null
}

export function ownerRoutes(deps: OwnerDeps): readonly Route[] {
  return bind(OWNER_SPECS, deps, {
    registerOwner,
    loginOwner,
    getOwner,
    logOut,
    changePassword,
  })
}

type In<Name extends keyof typeof OWNER_SPECS> = InputOf<(typeof OWNER_SPECS)[Name]>

async function registerOwner(deps: OwnerDeps, { body, address, transact }: In<'registerOwner'>) {
  const { mailer } = deps
  const register = await prepareRegistration(deps, body, { address, isKnown: false })
  const response = await transact(async (within) => {
    const joined = await register(within)
    const caller = { kind: 'anonymous', address } as const
    await audit(within, deps, caller, {
      action: 'owner.registered',
      target: targetOf(joined.member),
    })
    await deps.throttle.addSuccess(within, body.email, address)
    if (joined.member.emailConfirmedAt === null) {
      await mailer?.queue(within, 'email_confirmation', body.email)
    }
    return created(await newSession(within, deps, joined))
  })
  mailer?.wake()
  return response
}

async function loginOwner(deps: OwnerDeps, { body, address, transact }: In<'loginOwner'>) {
  const known = await logIn(deps, body, address)
  return transact(async (within) => ok(await newSession(within, deps, known)))
}

async function getOwner({ store, now, settings }: OwnerDeps, { caller }: In<'getOwner'>) {
  const { by, ownerId, permissions } = caller
  const owner = await ownerOf(store, ownerId)
  const member = by.kind === 'member' ? await store.members.find({ id: by.id }) : null
  const key = by.kind === 'key' ? await store.ownerKeys.find({ id: by.id }) : null
  return ok({
    ...presentManagedOwner(owner),
    limits: accountLimits(owner.tier, settings),
    member: member && presentMember(member),
    key: key && presentOwnerKey(key, now()),
    permissions,
  })
}

function logOut(deps: OwnerDeps, { caller, transact }: In<'logOut'>) {
  return transact(async (within) => {
    const member = await within.members.update({ id: caller.by.id }, { endsSessions: true })
    await audit(within, deps, caller, {
      action: 'owner.logged_out',
      target: member && targetOf(member),
    })
    return noContent()
  })
}

async function changePassword(deps: OwnerDeps, input: In<'changePassword'>) {
  const { caller, body, address, transact } = input
  const person = await confirmPassword(deps, caller, body.currentPassword, address)
  const wanted = { password: body.newPassword, field: 'newPassword', person } as const
  const passwordHash = await hashNewPassword(deps, wanted, { address, isKnown: true })
  return transact(async (within) => {
    // Of two changes at once, the second would undo one that was answered, with a password that no longer works.
    await confirmCaller(within, caller, 'session')
    const known = await setPassword(within, caller.by.id, passwordHash)
    await audit(within, deps, caller, {
      action: 'owner.password_changed',
      target: targetOf(known.member),
    })
    return ok(await newSession(within, deps, known))
  })
}

/** Begins a session: an account and its new token, as the response shows them. */
export async function newSession(
  within: Store,
  { tokens }: Pick<OwnerDeps, 'tokens'>,
  known: AccountMember,
) {
  return presentSession(known, await tokens.issue(within, known.member))
}

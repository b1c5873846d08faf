import type { Origin } from '../auth/passwords.ts'
import { forbidden } from '../domain/error.ts'
import type { Sources } from '../lib/sources.ts'
import type { RegistrationMode } from '../settings/table.ts'
import type { AccountMember, Store } from '../store/store.ts'
import { acceptInvitation } from './invitations.ts'
import { hashNewPassword, type NewPasswords } from './new-password.ts'
import { type NewPerson, openAccount } from './owners.ts'

/** Throws if this way of registering is closed, before the work of a registration is done. */
function checkRegistration(mode: RegistrationMode, invitation: string | undefined): void {
  if (invitation !== undefined || mode === 'open') {
    return
  }
  if (mode === 'invite') {
    throw forbidden('a new account needs an invitation by the operator of this service', {
      reason: 'invitation_required',
    })
  }
  throw registrationClosed()
}

export interface Registration {
  readonly mode: RegistrationMode
  /** The token of an invitation. */
  readonly invitation: string | undefined
}

export interface RegistrationDeps extends NewPasswords, Sources {
  readonly settings: { readonly registration: RegistrationMode }
}

interface RegistrationForm {
  readonly email: string
  readonly password: string
  readonly name?: string | null | undefined
  readonly invitation?: string | undefined
}

/** Checks a registration with a password, and hashes it, before the transaction that registers the person. */
export async function prepareRegistration(
  deps: RegistrationDeps,
  { email, password, name = null, invitation }: RegistrationForm,
  from: Origin,
): Promise<(within: Store) => Promise<AccountMember>> {
  const how = { mode: deps.settings.registration, invitation }
  checkRegistration(how.mode, invitation)
  const wanted = { password, field: 'password', person: { email, name } } as const
  const passwordHash = await hashNewPassword(deps, wanted, from)
  return (within) => register(within, deps, how, { email, name, passwordHash })
}

/** A new account; with an invitation also a new member of the account that invited. */
export async function register(
  within: Store,
  sources: Sources,
  { mode, invitation }: Registration,
  person: Omit<NewPerson, 'emailConfirmedAt'>,
): Promise<AccountMember> {
  checkRegistration(mode, invitation)
  if (invitation === undefined) {
    return openAccount(within, sources, { ...person, emailConfirmedAt: null })
  }
  const joined = await acceptInvitation(within, sources, invitation, person)
  if (joined.member.id === joined.owner.id && mode === 'closed') {
    throw registrationClosed()
  }
  return joined
}

export function registrationClosed() {
  return forbidden('this service accepts no new accounts', { reason: 'registration_closed' })
}

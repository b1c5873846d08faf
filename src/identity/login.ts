import { auditAlone } from '../audit/audit.ts'
import type { Passwords } from '../auth/passwords.ts'
import { suspendedAccount } from '../auth/suspended.ts'
import type { Attempt, Throttle } from '../auth/throttle.ts'
import type { Caller, CallerOf } from '../domain/caller.ts'
import { invalidField, TrustError } from '../domain/error.ts'
import type { Sources } from '../lib/sources.ts'
import type { AccountMember, MemberRow, Store } from '../store/store.ts'
import { accountRemoved } from './owners.ts'

export interface Login extends Sources {
  readonly store: Store
  readonly passwords: Passwords
  readonly throttle: Throttle
}

/**
 * The person with this e-mail and password. Only then is a suspended account named as such. The password may be changed
 * while it is checked: a session that began by the former one would outlive the change that ends all of them.
 */
export async function logIn(
  login: Login,
  { email, password }: { readonly email: string; readonly password: string },
  address: string,
): Promise<AccountMember> {
  const attempt = await login.throttle.begin(email, address)
  const found = await login.store.members.find({ email })
  const caller: Caller = { kind: 'anonymous', address }
  const claim = { member: found, password, address, caller, refusal: loginRefused }
  const { id, passwordHash } = await checked(login, attempt, claim)
  const known = await memberOf(login.store, id)
  if (known.member.passwordHash !== passwordHash) {
    throw loginRefused()
  }
  if (known.owner.status === 'suspended') {
    throw suspendedAccount()
  }
  return known
}

/** Does not say which of the two was wrong. */
function loginRefused(): TrustError {
  return new TrustError('AUTHENTICATION_REQUIRED', 'the e-mail or the password is wrong', {
    reason: 'wrong_login',
  })
}

/**
 * The caller's own account, once the caller has given its password again.
 * @throws VALIDATION_ERROR for a wrong one: the credential of the request is valid, and clients end a session at a 401
 */
export async function confirmPassword(
  login: Login,
  caller: CallerOf<'owner'>,
  password: string,
  address: string,
): Promise<MemberRow> {
  const { member } = await memberOf(login.store, caller.by.id)
  const attempt = await login.throttle.begin(member.email, address)
  const refusal = () => invalidField('currentPassword', 'is wrong', 'wrong_password')
  return checked(login, attempt, { member, password, address, caller, refusal })
}

/** The person that a token names, with the account. @throws AUTHENTICATION_REQUIRED where it was removed meanwhile */
export async function memberOf(store: Store, memberId: string): Promise<AccountMember> {
  const member = await store.members.find({ id: memberId })
  const owner = member && (await store.owners.find({ id: member.ownerId }))
  if (!owner) {
    throw accountRemoved()
  }
  return { member, owner }
}

interface Claim {
  readonly member: MemberRow | null
  readonly password: string
  readonly address: string
  readonly caller: Caller
  /** The error for a wrong password. */
  readonly refusal: () => TrustError
}

/** Takes as long for an unknown e-mail as for a wrong password, and says the same of both. */
async function checked(
  login: Login,
  attempt: Attempt,
  { member, password, address, caller, refusal }: Claim,
): Promise<MemberRow> {
  const { isKnown } = attempt
  const hash = member?.passwordHash ?? null
  const matches = await login.passwords.matches(hash, password, { address, isKnown })
  if (member && matches) {
    await attempt.succeeded()
    return member
  }
  await attempt.failed()
  await recordFailure(login, caller, member)
  throw refusal()
}

/** Names the account by its id alone: what was typed as e-mail may be anything, even a password. */
function recordFailure(login: Login, caller: Caller, member: MemberRow | null): Promise<void> {
  return auditAlone(login.store, login, caller, {
    action: 'owner.login_failed',
    target: member && targetOf(member),
  })
}

/** A person in the audit log: the owner, or another member of the account. */
export function targetOf({ id, ownerId }: MemberRow) {
  return { kind: id === ownerId ? 'owner' : 'member', id }
}

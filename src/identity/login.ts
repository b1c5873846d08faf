import { audit } from '../audit/audit.ts'
import type { LoginAttempt, LoginThrottle } from '../auth/login-throttle.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { Caller, CallerOf } from '../domain/caller.ts'
import type { Sources } from '../lib/sources.ts'
import type { OwnerRow, Store } from '../store/store.ts'
import { loginRefused, ownerOf } from './owners.ts'

export interface Login extends Sources {
  readonly store: Store
  readonly passwords: Passwords
  readonly throttle: LoginThrottle
}

/** The owner with this e-mail and password. */
export async function logIn(
  login: Login,
  { email, password }: { readonly email: string; readonly password: string },
  address: string,
): Promise<OwnerRow> {
  const attempt = await login.throttle.begin(email, address)
  const owner = await login.store.owners.findByEmail(email)
  return checked(login, attempt, owner, password, { kind: 'anonymous', address })
}

/** The caller's own account, once the caller has given its password again. */
export async function confirmPassword(
  login: Login,
  caller: CallerOf<'owner'>,
  password: string,
  address: string,
): Promise<OwnerRow> {
  const owner = await ownerOf(login.store, caller.ownerId)
  const attempt = await login.throttle.begin(owner.email, address)
  return checked(login, attempt, owner, password, caller)
}

/** Takes as long for an unknown owner as for a wrong password, and says the same of both. */
async function checked(
  login: Login,
  attempt: LoginAttempt,
  owner: OwnerRow | null,
  password: string,
  caller: Caller,
): Promise<OwnerRow> {
  const matches = await login.passwords.matches(owner?.passwordHash ?? null, password)
  if (owner && matches) {
    await attempt.succeeded()
    return owner
  }
  await attempt.failed()
  await recordFailure(login, caller, owner?.id ?? null)
  throw loginRefused()
}

/** Names the account by its id alone: what was typed as e-mail may be anything, even a password. */
function recordFailure(login: Login, caller: Caller, ownerId: string | null): Promise<void> {
  const target = ownerId === null ? null : { kind: 'owner', id: ownerId }
  return login.store.transaction((within) =>
    audit(within, login, caller, 'owner.login_failed', target),
  )
}

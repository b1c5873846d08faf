import type { CallerOf } from '../domain/caller.ts'
import { forbidden, TrustError } from '../domain/error.ts'
import { PERMISSIONS_OF_ROLE, type Permission } from '../domain/permission.ts'
import type { Store } from '../store/store.ts'
import { suspendedAccount } from './suspended.ts'

/**
 * Checks a person again in the transaction of what gives lasting access, or cannot be undone: the account may have been suspended, the person
 * removed or signed out since the request was admitted. The account and the person stay locked, so that nothing of this
 * is committed in between.
 *
 * @throws AUTHENTICATION_REQUIRED where the sign-in has ended, FORBIDDEN where the account or the person may not do this
 */
export async function confirmCaller(
  within: Store,
  caller: CallerOf<'owner'>,
  needed: Permission,
): Promise<void> {
  const owner = await within.owners.find({ id: caller.ownerId }, { lock: 'wait' })
  if (owner?.status === 'suspended') {
    throw suspendedAccount()
  }
  // A link to a new password and the end of a session lock the person alone.
  await within.members.find({ id: caller.by.id }, { lock: 'wait' })
  await confirmPerson(within, caller, needed)
}

/**
 * Checks a person again without a lock: for what has waited for an agent, and must wait for no other change of the
 * account. @throws as `confirmCaller`, but for a suspended account
 */
export async function confirmPerson(
  within: Store,
  { by }: CallerOf<'owner'>,
  needed: Permission,
): Promise<void> {
  const known = by.kind === 'member' ? await within.sessions.find({ id: by.sessionId }) : null
  if (known === null) {
    throw new TrustError('AUTHENTICATION_REQUIRED', 'this sign-in has ended; sign in again')
  }
  if (!PERMISSIONS_OF_ROLE[known.member.role].includes(needed)) {
    throw forbidden('the role of this person was changed meanwhile', {
      reason: 'insufficient_permission',
      permission: needed,
    })
  }
}

import type { CallerOf } from '../domain/caller.ts'
import { forbidden, TrustError } from '../domain/error.ts'
import { PERMISSIONS_OF_ROLE, type Permission } from '../domain/permission.ts'
import type { Store } from '../store/store.ts'
import { suspendedAccount } from './suspended.ts'

/**
 * Checks a person again in the transaction of what gives lasting access: the account may have been suspended, the person
 * removed or signed out since the request was admitted. The account and the person stay locked, so that nothing of this
 * is committed in between.
 *
 * @throws AUTHENTICATION_REQUIRED where the sign-in has ended, FORBIDDEN where the account or the person may not do this
 */
export async function confirmCaller(
  within: Store,
  { ownerId, by }: CallerOf<'owner'>,
  needed: Permission,
): Promise<void> {
  const owner = await within.owners.find({ id: ownerId }, { lock: 'wait' })
  if (owner?.status === 'suspended') {
    throw suspendedAccount()
  }
  // A link to a new password and the end of a session lock the person alone.
  await within.members.find({ id: by.id }, { lock: 'wait' })
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

import type { AccountUser, CallerOf } from '../domain/caller.ts'
import { notFound } from '../domain/error.ts'
import type { Store } from '../store/store.ts'

/**
 * Ends one session of the caller. Waits for what the session is committing (src/auth/confirm-caller.ts): who ended it must
 * find no key that was made after the response. @throws NOT_FOUND for one of another person, or that has ended
 */
export async function endSession(
  within: Store,
  { by }: CallerOf<'owner'>,
  id: string,
): Promise<void> {
  await within.members.find({ id: by.id }, { lock: 'wait' })
  if (!(await within.sessions.delete({ id, memberId: by.id }))) {
    throw notFound('session')
  }
}

/** The session that makes the request; null for an API key. */
export function sessionIn(by: AccountUser): string | null {
  return by.kind === 'member' ? by.sessionId : null
}

import { useEffect } from 'preact/hooks'
import { ownSelf } from '../api/auth.ts'
import { refusals } from '../api/client.ts'
import type { Permission } from '../api/types.ts'
import { begin, type Session, session } from './session.ts'

/** Whether the person may do something that needs this. Callers without an account have no roles. */
export function may(permission: Permission): boolean {
  const who = session.value
  return who?.kind !== 'owner' || (who.permissions?.includes(permission) ?? true)
}

/** Keeps the role at hand: it is read as the dashboard opens, and again when the service refuses what it allowed. */
export function useOwnRights(who: Session): void {
  const { kind, credential } = who
  const refused = refusals.value
  useEffect(() => {
    if (kind === 'owner') {
      // Without an answer the rights stay as they were; the service checks each request anyway.
      void readRights(credential).catch(() => {})
    }
  }, [kind, credential, refused])
}

/** Reads what the person may do, which an admin of the account can change at any time. */
export async function readRights(credential = session.peek()?.credential): Promise<void> {
  const { member, permissions } = await ownSelf(new AbortController().signal)
  const who = session.peek()
  if (who?.kind !== 'owner' || who.credential !== credential) {
    return
  }
  const known = JSON.stringify([who.member, who.permissions])
  if (known !== JSON.stringify([member, permissions])) {
    begin({ ...who, member, permissions })
  }
}

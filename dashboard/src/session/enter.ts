import { forgetAll } from '../api/cache.ts'
import { quota } from '../api/client.ts'
import { t } from '../messages/index.ts'
import { forgetRecent } from '../ui/recent.ts'
import { commitAll, toast } from '../ui/toasts.tsx'
import { begin, end, type Session } from './session.ts'

/** What still waits for its ten seconds is done first: it needs the session. */
export function signOut(): void {
  commitAll()
  forgetAll()
  forgetRecent()
  quota.value = null
  end()
  toast(t.value.session.signedOut)
}

export function signIn(next: Session): void {
  forgetAll()
  quota.value = null
  begin(next)
}

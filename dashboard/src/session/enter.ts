import { forgetAll } from '../api/cache.ts'
import { quota } from '../api/client.ts'
import { t } from '../messages/index.ts'
import { to } from '../paths.ts'
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
  // The next person to sign in may be of another kind, and has no right to this page.
  history.replaceState(null, '', to.home())
  dispatchEvent(new PopStateEvent('popstate'))
  toast(t.value.session.signedOut)
}

export function signIn(next: Session): void {
  forgetAll()
  quota.value = null
  begin(next)
}

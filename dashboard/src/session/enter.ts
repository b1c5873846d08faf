import { useEffect } from 'preact/hooks'
import { endSessionOf } from '../api/auth.ts'
import { forgetAll } from '../api/cache.ts'
import { quota } from '../api/client.ts'
import { t } from '../messages/index.ts'
import { to } from '../paths.ts'
import { forgetRecent } from '../ui/recent.ts'
import { commitAll, toast } from '../ui/toasts.tsx'
import { choose, isTestId, isTestMode } from './mode.ts'
import { begin, end, type Session, session } from './session.ts'

/** What still waits for its ten seconds is done first: it needs the session. */
export function signOut(): void {
  const left = session.value
  void commitAll()
    .then(() => (left?.kind === 'owner' ? endSessionOf(left.credential) : undefined))
    // Without a connection the session ends by its time; this tab has dropped the token.
    .catch(() => {})
  forgetAll()
  forgetRecent()
  quota.value = null
  choose(false)
  end()
  // The next person to sign in may be of another kind, and has no right to this page.
  goHome()
  toast(t.value.session.signedOut)
}

export function signIn(next: Session): void {
  forgetAll()
  quota.value = null
  begin(next)
}

/** Shows the other data, from its first page on. */
export function switchMode(isTest: boolean): void {
  enterMode(isTest)
  goHome()
}

/** Enters the mode of what the address names; whether that one is in force. */
export function useModeOf(id: string): boolean {
  const isOther = session.value?.kind === 'owner' && isTestId(id) !== isTestMode.value
  useEffect(() => {
    if (isOther) {
      enterMode(isTestId(id))
    }
  }, [id, isOther])
  return !isOther
}

/** What is known of the one mode is not shown in the other. */
function enterMode(isTest: boolean): void {
  void commitAll()
  forgetAll()
  choose(isTest)
}

function goHome(): void {
  history.replaceState(null, '', to.home())
  dispatchEvent(new PopStateEvent('popstate'))
}

/**
 * What the address brings in its fragment, which is not sent to any server: `#key=avo_…` from the
 * set-up page, `#oidc=CODE` from a sign-in at a provider. It is gone from the address at once, and
 * each is used once.
 */
const arrived = readFragment()

/** Whether the browser comes back from a sign-in at a provider. */
export const comesFromProvider = arrived.has('oidc')

export function takeArrived(name: 'key' | 'oidc'): string {
  const value = arrived.get(name) ?? ''
  arrived.delete(name)
  return value
}

function readFragment(): URLSearchParams {
  const fragment = new URLSearchParams(location.hash.slice(1))
  if (fragment.has('key') || fragment.has('oidc')) {
    history.replaceState(null, '', location.pathname + location.search)
  }
  return fragment
}

/** The page that was asked for before the browser left for the provider. */
const RETURN_KEY = 'standing.return'

export function rememberPage(): void {
  sessionStorage.setItem(RETURN_KEY, location.pathname + location.search)
}

export function takeRememberedPage(): string | null {
  const path = sessionStorage.getItem(RETURN_KEY)
  sessionStorage.removeItem(RETURN_KEY)
  return path
}

import { OIDC_LOGIN_MS, type Oidc } from '../../auth/oidc.ts'
import { randomToken } from '../../auth/one-time-token.ts'
import { logInByOidc } from '../../identity/oidc-login.ts'
import type { OidcPages } from '../../pages/oidc-routes.ts'
import type { OidcDeps } from './oidc.ts'
import { oidcCookie, oidcCookieIn, sessionHashOf } from './oidc.ts'

/** From the provider's answer to the session: as long as a page takes to load. */
const SESSION_MS = 60_000

/** What the pages of the sign-in do; the last step is `POST /v1/auth/oidc/session`. */
export function oidcPages(deps: OidcDeps, oidc: Oidc): OidcPages {
  const { store, now, baseUrl, settings } = deps
  return {
    async begin(invitation) {
      const { url, sealed } = await oidc.begin(invitation)
      return { location: url, cookie: oidcCookie(baseUrl(), sealed, OIDC_LOGIN_MS) }
    },
    async finish({ request, address }) {
      const sealed = oidcCookieIn(request.headers, baseUrl())
      const { person, invitation } = await oidc.finish(request.search, sealed)
      const caller = { kind: 'anonymous', address } as const
      const mode = settings.registration
      // One in the address, one in the cookie: neither is of use alone.
      const [code, secret] = [randomToken(), randomToken()]
      await store.transaction(async (within) => {
        const login = { person, mode, invitation, caller }
        const { member } = await logInByOidc(within, deps, login)
        await within.oneTimeTokens.insert({
          hash: sessionHashOf(code, secret),
          purpose: 'oidc_session',
          memberId: member.id,
          isMailed: false,
          createdAt: now(),
          expiresAt: now() + SESSION_MS,
        })
      })
      const cookie = oidcCookie(baseUrl(), secret, SESSION_MS)
      // Behind the #, so that no server and no log gets it.
      return { location: `${baseUrl()}/#oidc=${code}`, cookie }
    },
  }
}

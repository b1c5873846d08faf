import type { Oidc } from '../../auth/oidc.ts'
import { tokenHashOf } from '../../auth/one-time-token.ts'
import type { HeadersIn } from '../../http/request.ts'
import { ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { endedToken } from '../../identity/links.ts'
import { memberOf } from '../../identity/login.ts'
import { newSession, type OwnerDeps } from './handlers.ts'
import { OIDC_SPECS } from './oidc-spec.ts'

export interface OidcDeps extends OwnerDeps {
  /** The provider; null for none. */
  readonly oidc: Oidc | null
  readonly baseUrl: () => string
}

export function oidcApiRoutes(deps: OidcDeps): readonly Route[] {
  return bind(OIDC_SPECS, deps, { getAuthOptions, createOidcSession })
}

type In<Name extends keyof typeof OIDC_SPECS> = InputOf<(typeof OIDC_SPECS)[Name]>

async function getAuthOptions({ oidc, mailer, settings, baseUrl }: OidcDeps) {
  return ok({
    registration: settings.registration,
    mail: mailer !== null,
    oidc: oidc && { name: oidc.name, startUrl: `${baseUrl()}/auth/oidc/start` },
  })
}

function createOidcSession(deps: OidcDeps, input: In<'createOidcSession'>) {
  const { body, request, transact } = input
  const secret = oidcCookieIn(request.headers, deps.baseUrl())
  return transact(async (within) => {
    const found = await within.oneTimeTokens.delete({ hash: sessionHashOf(body.code, secret) })
    if (found?.purpose !== 'oidc_session' || found.expiresAt <= deps.now()) {
      throw endedToken('code')
    }
    return ok(await newSession(within, deps, await memberOf(within, found.memberId)))
  })
}

/**
 * Behind https with a prefix: browsers then take the cookie only over https and, where the service has the whole
 * host, only from this very host. No other host of the domain can plant one.
 */
function oidcCookieName(baseUrl: string): string {
  const { protocol, pathname } = new URL(baseUrl)
  const prefix = pathname === '/' ? '__Host-' : '__Secure-'
  return `${protocol === 'https:' ? prefix : ''}standing_oidc`
}

/** The code alone opens no session: a link with another person's code does not sign in. */
export function sessionHashOf(code: string, secret: string): Uint8Array {
  return tokenHashOf(`${code}.${secret}`)
}

/** For this service alone; not for scripts, and not with requests that other sites cause. */
export function oidcCookie(baseUrl: string, value: string, maxAgeMs: number): string {
  const { protocol, pathname } = new URL(baseUrl)
  const secure = protocol === 'https:' ? '; Secure' : ''
  const age = Math.floor(maxAgeMs / 1000)
  return `${oidcCookieName(baseUrl)}=${value}; Path=${pathname}; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`
}

/** What the browser brings back; empty for none. */
export function oidcCookieIn(headers: HeadersIn, baseUrl: string): string {
  return cookieOf(headers, oidcCookieName(baseUrl))
}

function cookieOf(headers: HeadersIn, name: string): string {
  const parts = (headers.get('cookie') ?? '').split(';').map((part) => part.trim().split('='))
  return parts.find(([key]) => key === name)?.[1] ?? ''
}

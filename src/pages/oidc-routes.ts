import type { Exchange, PageRoute } from '../http/endpoint.ts'
import type { Response } from '../http/response.ts'
import { oidcStartPage } from './account.ts'
import { get, pageResponse } from './respond.ts'

/** Sign-in by the OpenID Connect provider, as the pages need it. */
export interface OidcPages {
  /** Where to send the browser, and the cookie that it brings back. */
  begin(invitation: string | null): Promise<Redirect>
  /** Where the browser goes with the result, and the cookie that belongs to it. */
  finish(exchange: Exchange): Promise<Redirect>
}

interface OidcRoutesOptions {
  /** The provider's name for people. */
  readonly name: string
  readonly basePath: string
}

export interface Redirect {
  readonly location: string
  readonly cookie: string
}

/** The redirects to the provider and back. No browser and no proxy stores them. */
export function oidcRoutes(
  oidc: OidcPages,
  { name, basePath }: OidcRoutesOptions,
): readonly PageRoute[] {
  async function start({ request }: Exchange): Promise<Response> {
    const invitation = new URLSearchParams(request.search).get('invitation')
    return isFromElsewhere(request)
      ? pageResponse(basePath, 200, oidcStartPage({ name, basePath, invitation }))
      : redirect(await oidc.begin(invitation))
  }

  return [
    get('/auth/oidc/start', start),
    get('/auth/oidc/callback', async (exchange) => redirect(await oidc.finish(exchange))),
  ]
}

/**
 * Whether a link of another site leads here. The provider may not ask a person who is signed in there, so
 * such a link alone would log the person in: the page asks first.
 */
function isFromElsewhere({ headers }: Exchange['request']): boolean {
  return ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')
}

function redirect({ location, cookie }: Redirect): Response {
  return {
    status: 303,
    headers: { location, 'set-cookie': cookie, 'cache-control': 'no-store' },
  }
}

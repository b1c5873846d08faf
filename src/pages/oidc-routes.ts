import type { Exchange, PageRoute } from '../http/endpoint.ts'
import type { Response } from '../http/response.ts'

/** Log-in by the OpenID Connect provider, as the pages need it. */
export interface OidcPages {
  /** Where to send the browser, and the cookie that it brings back. */
  begin(invitation: string | null): Promise<Redirect>
  /** Where the browser goes with the result, and the cookie that belongs to it. */
  finish(exchange: Exchange): Promise<Redirect>
}

export interface Redirect {
  readonly location: string
  readonly cookie: string
}

/** The redirects to the provider and back. No browser and no proxy stores them. */
export function oidcRoutes(oidc: OidcPages): readonly PageRoute[] {
  return [
    {
      method: 'get',
      path: '/auth/oidc/start',
      handle: async ({ request }) =>
        redirect(await oidc.begin(new URLSearchParams(request.search).get('invitation'))),
    },
    {
      method: 'get',
      path: '/auth/oidc/callback',
      handle: async (exchange) => redirect(await oidc.finish(exchange)),
    },
  ]
}

function redirect({ location, cookie }: Redirect): Response {
  return {
    status: 303,
    headers: { location, 'set-cookie': cookie, 'cache-control': 'no-store' },
  }
}

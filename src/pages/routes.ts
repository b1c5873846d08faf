import type { TrustError } from '../domain/error.ts'
import { createAsset } from '../http/asset.ts'
import type { PageRoute } from '../http/endpoint.ts'
import type { About } from '../http/openapi.ts'
import { JSON_TYPE, type Response } from '../http/response.ts'
import { type AccountLinks, accountRoutes } from './account-routes.ts'
import { type DashboardFiles, dashboardRoutes } from './dashboard.ts'
import type { GuideFiles } from './docs/guides.ts'
import { docsRoutes } from './docs/routes.ts'
import { refusedPage } from './errors.ts'
import { landingPage } from './landing.ts'
import { HTML_TYPE, layout, PAGE_HEADERS, type Page } from './layout.ts'
import { type OidcPages, oidcRoutes } from './oidc-routes.ts'
import { get } from './respond.ts'
import { type SetupRoutesOptions, setupRoutes } from './setup-routes.ts'

export interface PageRoutesOptions extends SetupRoutesOptions {
  readonly about: About
  /** Makes the OpenAPI document. */
  readonly document: () => object
  readonly links: AccountLinks
  readonly guides: GuideFiles
  /** Null without an OpenID Connect provider. */
  readonly oidc: OidcPages | null
  /** The dashboard as it was built; without it, `/` says so and leads to the rest. */
  readonly dashboard: DashboardFiles | null
}

/** The pages for people: dashboard, set-up, reference, a page for each error code; and openapi.json. */
export function pageRoutes(options: PageRoutesOptions): readonly PageRoute[] {
  const { about, document, dashboard, baseUrl, basePath } = options
  // Made for the first request: the address is known by then, and does not change.
  const asset = (content: () => string, type: string, headers = {}) =>
    createAsset({ content, type, headers })
  const page = (make: () => Page) => asset(() => layout(basePath, make()), HTML_TYPE, PAGE_HEADERS)

  const landing = page(() => landingPage(about, basePath, baseUrl()))
  const openApi = asset(() => JSON.stringify(document()), JSON_TYPE)

  return [
    ...(dashboard === null
      ? [get('/', ({ request }) => landing.respond(request))]
      : dashboardRoutes(dashboard, basePath)),
    ...setupRoutes(options),
    ...accountRoutes(options.links, basePath),
    ...(options.oidc === null
      ? []
      : oidcRoutes(options.oidc, { name: options.links.oidcName ?? '', basePath })),
    ...docsRoutes({ document, files: options.guides, basePath, baseUrl }),
    get('/openapi.json', ({ request }) => openApi.respond(request)),
    // There is no icon. Browsers request it by themselves, so it is not counted, and cached for a
    // day.
    {
      ...get('/favicon.ico', async () => ({ status: 204, headers: ICON_HEADERS })),
      isUnmetered: true,
    },
  ]
}

const ICON_HEADERS = { 'cache-control': 'public, max-age=86400' }

/** Shows an error to a person, with the status and the headers of its JSON form. */
export function errorPageFor(basePath: string) {
  return (error: TrustError, { status, headers }: Response, requestId: string): Response => ({
    status,
    headers: { ...headers, ...PAGE_HEADERS, vary: 'accept' },
    content: { type: HTML_TYPE, data: layout(basePath, refusedPage(basePath, error, requestId)) },
  })
}

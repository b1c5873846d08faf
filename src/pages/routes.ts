import { notFound, type TrustError } from '../domain/error.ts'
import { createAsset } from '../http/asset.ts'
import type { PageRoute } from '../http/endpoint.ts'
import type { About } from '../http/openapi.ts'
import { JSON_TYPE, type Response } from '../http/response.ts'
import { type AccountLinks, accountRoutes } from './account-routes.ts'
import { type DashboardFiles, dashboardRoutes } from './dashboard.ts'
import type { Document } from './document.ts'
import { ERROR_CODES, errorCodePage, errorListPage, refusedPage } from './errors.ts'
import { landingPage } from './landing.ts'
import { HTML_TYPE, layout, PAGE_HEADERS, type Page } from './layout.ts'
import { type OidcPages, oidcRoutes } from './oidc-routes.ts'
import { referencePage } from './reference.ts'
import { type SetupRoutesOptions, setupRoutes } from './setup-routes.ts'

export interface PageRoutesOptions extends SetupRoutesOptions {
  readonly about: About
  readonly document: object
  readonly links: AccountLinks
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
  const reference = page(() => referencePage(document as Document, basePath, baseUrl()))
  const errorList = page(() => errorListPage(basePath))
  const errorPages = new Map(
    ERROR_CODES.map((code) => [String(code), page(() => errorCodePage(basePath, code))]),
  )
  const openApi = asset(() => JSON.stringify(document), JSON_TYPE)

  return [
    ...(dashboard === null
      ? [get('/', ({ request }) => landing.respond(request))]
      : dashboardRoutes(dashboard, basePath)),
    ...setupRoutes(options),
    ...accountRoutes(options.links, basePath),
    ...(options.oidc === null ? [] : oidcRoutes(options.oidc)),
    get('/docs', ({ request }) => reference.respond(request)),
    get('/docs/', async () => ({ status: 308, headers: { location: `${basePath}/docs` } })),
    get('/docs/errors', ({ request }) => errorList.respond(request)),
    get('/docs/errors/{code}', async ({ params: { code = '' }, request }) => {
      const found = errorPages.get(code)
      if (!found) {
        throw notFound('error code')
      }
      return found.respond(request)
    }),
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

function get(path: string, handle: PageRoute['handle']): PageRoute {
  return { method: 'get', path, handle }
}

/** Shows an error to a person, with the status and the headers of its JSON form. */
export function errorPageFor(basePath: string) {
  return (error: TrustError, { status, headers }: Response, requestId: string): Response => ({
    status,
    headers: { ...headers, ...PAGE_HEADERS, vary: 'accept' },
    content: { type: HTML_TYPE, data: layout(basePath, refusedPage(basePath, error, requestId)) },
  })
}

import type { Hono } from 'hono'
import { notFound } from '../domain/error.ts'
import type { About } from '../http/openapi.ts'
import type { Document } from './document.ts'
import { errorPage, errorsPage } from './errors.ts'
import { landingPage } from './landing.ts'
import { PAGE_HEADERS } from './layout.ts'
import { referencePage } from './reference.ts'

/** There is none, and for a day nobody need ask again. */
const ICON_HEADERS = { 'cache-control': 'public, max-age=86400' }

/** Serves the pages for people: `/`, the reference, a page for each error code; and no icon. */
export function servePages(app: Hono, document: object, about: About, baseUrl: () => string): void {
  let reference: string | undefined
  app.get('/', (c) => c.body(landingPage(about, baseUrl()), 200, PAGE_HEADERS))
  // Browsers ask for it unbidden.
  app.get('/favicon.ico', (c) => c.body(null, 204, ICON_HEADERS))
  app.get('/docs', (c) => {
    // Made once, when first asked for: the address is known by then, and does not change.
    reference ??= referencePage(document as Document, baseUrl())
    return c.body(reference, 200, PAGE_HEADERS)
  })
  app.get('/docs/', (c) => c.redirect('/docs', 308))
  app.get('/docs/errors', (c) => c.body(errorsPage(), 200, PAGE_HEADERS))
  app.get('/docs/errors/:code', (c) => {
    const page = errorPage(c.req.param('code'))
    if (page === null) {
      throw notFound('error code')
    }
    return c.body(page, 200, PAGE_HEADERS)
  })
}

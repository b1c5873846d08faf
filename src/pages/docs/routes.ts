import type { ErrorCode } from '../../domain/error.ts'
import { notFound } from '../../domain/error.ts'
import { type Asset, createAsset } from '../../http/asset.ts'
import type { PageRoute } from '../../http/endpoint.ts'
import { once } from '../../lib/once.ts'
import { ERROR_CODES, errorCodePage, errorListPage } from '../errors.ts'
import { FORM_PAGE_HEADERS, HTML_TYPE, layout, type Page } from '../layout.ts'
import { get, pageResponse } from '../respond.ts'
import type { Document } from './document.ts'
import { eventTypesPage } from './event-types.ts'
import { guidePage } from './guide-page.ts'
import type { GuideFiles } from './guides.ts'
import { llmsText } from './llms.ts'
import { docsNav } from './nav.ts'
import { operationsPage } from './operations.ts'
import { overviewPage } from './overview.ts'
import { createSearch, searchPage } from './search.ts'
import { createSite, type DocsSite } from './site.ts'

export interface DocsOptions {
  readonly document: () => object
  readonly files: GuideFiles
  readonly basePath: string
  readonly baseUrl: () => string
}

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const IMAGE_TYPES: Readonly<Record<string, string>> = { svg: 'image/svg+xml', png: 'image/png' }

/** The documentation: reference, guides, event types, errors, search; the guides as Markdown too. */
export function docsRoutes(options: DocsOptions): readonly PageRoute[] {
  const { files, basePath } = options
  const site = once(() =>
    createSite({
      ...options,
      document: options.document() as Document,
      baseUrl: options.baseUrl(),
    }),
  )
  const search = once(() => createSearch(site()))
  const shown = (make: (site: DocsSite) => Page) =>
    asset(() => layout(basePath, make(site())), HTML_TYPE, FORM_PAGE_HEADERS)
  const pages = byName((name: string) => pageAt(site(), name, shown))
  const overview = shown(overviewPage)
  const llms = asset(() => llmsText(site()), TEXT_TYPE)
  const images = byName((name: string) => {
    const data = files.get(`docs/img/${name}`)
    const type = IMAGE_TYPES[name.split('.').at(-1) ?? '']
    return data && type ? asset(() => data, type) : null
  })
  return [
    get('/docs', ({ request }) => overview.respond(request)),
    get('/docs/', async () => ({ status: 308, headers: { location: `${basePath}/docs` } })),
    get('/docs/search', async ({ request }) => {
      const query = new URLSearchParams(request.search).get('q') ?? ''
      return pageResponse(basePath, 200, searchPage(site(), search(), query))
    }),
    ...PLACES.map(([path, prefix]) =>
      get(path, ({ params: { name = '' }, request }) =>
        found(pages(prefix + name), 'page').respond(request),
      ),
    ),
    get('/docs/img/{name}', ({ params: { name = '' }, request }) =>
      found(images(name), 'picture').respond(request),
    ),
    get('/llms.txt', ({ request }) => llms.respond(request)),
  ]
}

/** Where pages have names, and what the name of a page begins with there. */
const PLACES = [
  ['/docs/{name}', ''],
  ['/docs/reference/{name}', 'reference/'],
  ['/docs/errors/{name}', 'errors/'],
] as const

/** The page of this name; null where there is none. */
function pageAt(
  site: DocsSite,
  name: string,
  shown: (make: (site: DocsSite) => Page) => Asset,
): Asset | null {
  if (name === 'event-types') {
    return shown(eventTypesPage)
  }
  if (name === 'errors') {
    return shown((site) => ({
      ...errorListPage(site.basePath),
      nav: docsNav(site, { current: '/docs/errors' }),
    }))
  }
  const code = ERROR_CODES.find((one) => `errors/${one}` === name)
  if (code !== undefined) {
    return shown((site) => errorPage(site, code))
  }
  const group = site.groups.find(({ slug }) => `reference/${slug}` === name)
  if (group) {
    return shown((site) => operationsPage(site, group))
  }
  const guide = site.guides.find((one) => one.name === name.replace(/\.md$/, ''))
  if (!guide) {
    return null
  }
  return name.endsWith('.md')
    ? asset(() => guide.markdown, MARKDOWN_TYPE)
    : shown((site) => guidePage(site, guide))
}

function errorPage(site: DocsSite, code: ErrorCode): Page {
  return { ...errorCodePage(site.basePath, code), nav: docsNav(site, { current: '/docs/errors' }) }
}

function found<T>(value: T | null, what: string): T {
  if (value === null) {
    throw notFound(what)
  }
  return value
}

function asset(content: () => string | Uint8Array, type: string, headers = {}): Asset {
  return createAsset({ content, type, headers })
}

/** Made for the first request of each name; names that nothing has are not remembered. */
function byName<T>(make: (name: string) => T | null): (name: string) => T | null {
  const made = new Map<string, T>()
  return (name) => {
    const before = made.get(name)
    const value = before ?? make(name)
    if (before === undefined && value !== null) {
      made.set(name, value)
    }
    return value
  }
}

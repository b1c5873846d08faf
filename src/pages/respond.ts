import type { PageRoute } from '../http/endpoint.ts'
import type { Response } from '../http/response.ts'
import { FORM_PAGE_HEADERS, HTML_TYPE, layout, type Page } from './layout.ts'

/** A page that is made for one request, as a response. It may have a form. */
export function pageResponse(basePath: string, status: number, page: Page): Response {
  return {
    status,
    headers: FORM_PAGE_HEADERS,
    content: { type: HTML_TYPE, data: layout(basePath, page) },
  }
}

export function get(path: string, handle: PageRoute['handle']): PageRoute {
  return { method: 'get', path, handle }
}

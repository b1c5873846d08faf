import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Guide } from './guides.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import { docsNav } from './nav.ts'
import type { DocsSite } from './site.ts'

/** Deeper headings would make the contents longer than the page. */
const DEPTH_SHOWN = 2

export function guidePage(site: DocsSite, guide: Guide): Page {
  const { html: body, sections } = renderGuide(site, guide)
  const shown = sections.filter(({ depth }) => depth === DEPTH_SHOWN)
  return {
    title: `${site.document.info.title}: ${guide.title}`,
    nav: docsNav(site, { current: `/docs/${guide.name}`, sections: shown }),
    body: html`<div class="guide">${body}</div>`,
  }
}

export function renderGuide(site: DocsSite, { markdown }: Guide): Rendered {
  return renderMarkdown(markdown, { resolve: (target) => addressOf(site, target) })
}

/** Links between guides lead to their pages; files of the repository are not served. */
function addressOf({ guides, basePath }: DocsSite, target: string): string | null {
  if (/^(https?:|#)/.test(target)) {
    return target
  }
  if (/^img\/[\w-]+\.(svg|png)$/.test(target)) {
    return `${basePath}/docs/${target}`
  }
  if (target === '../openapi.json' || target === 'openapi.json') {
    return `${basePath}/openapi.json`
  }
  const [, name = '', fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? []
  return guides.some((guide) => guide.name === name) ? `${basePath}/docs/${name}${fragment}` : null
}

import { type Html, html } from '../html.ts'
import { type DocsSite, referencePath, type TagGroup } from './site.ts'

export interface NavOptions {
  /** The address of the page that is shown, without the path of the base URL. */
  readonly current: string
  /** The sections of that page. */
  readonly sections?: readonly NavSection[]
  readonly query?: string
}

export interface NavSection {
  readonly id: string
  readonly title: Html | string
}

/**
 * The contents of the documentation, with the present page marked and its sections below it. Where the
 * screen is narrow they are folded; only the search stays.
 */
export function docsNav(site: DocsSite, options: NavOptions): Html {
  const { basePath, guides, groups } = site
  const { query = '' } = options
  const item = (path: string, title: string) => itemOf(basePath, options, path, title)
  const names = [...new Set(guides.map(({ group }) => group))]
  return html`<nav aria-label="Documentation">
<form class="search" action="${basePath}/docs/search" role="search">
<input type="search" name="q" value="${query}" maxlength="100" aria-label="Search the documentation" placeholder="Search">
<button>Search</button></form>
<details class="fold"><summary>Contents</summary>
<ul>${item('/docs', 'Overview')}${item('/docs/event-types', 'Event types')}${item('/docs/errors', 'Errors')}</ul>
${names.map(
  (group) =>
    html`<h2>${group}</h2><ul>${guides
      .filter((one) => one.group === group)
      .map(({ name, title }) => item(`/docs/${name}`, title))}</ul>`,
)}
<h2>Reference</h2>
<ul>${groups.map(({ name, slug }) => item(`/docs/reference/${slug}`, name))}</ul>
</details></nav>`
}

function itemOf(
  basePath: string,
  { current, sections = [] }: NavOptions,
  path: string,
  title: string,
): Html {
  if (path !== current) {
    return html`<li><a href="${basePath}${path}">${title}</a></li>`
  }
  const inner = sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return html`<li><a href="${basePath}${path}" aria-current="page">${title}</a>
${inner.length > 0 && html`<ul class="inner">${inner}</ul>`}</li>`
}

/** Method and path, as lists of operations show them. */
export function signature(method: string, path: string): Html {
  return html`<span class="method">${method}</span> <code>${path}</code>`
}

/** The operations of a tag, for the page that lists them all. */
export function operationList(site: DocsSite, group: TagGroup): Html {
  return html`<ul class="operations">${group.entries.map(
    ({ method, path, operation }) =>
      html`<li id="${operation.operationId}"><a href="${referencePath(site, group, operation.operationId)}">${signature(method, path)}</a>
<span class="quiet">${operation.summary}</span></li>`,
  )}</ul>`
}

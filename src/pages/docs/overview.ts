import { REPORTED_TYPES } from '../../domain/event.ts'
import { type Html, html, inline, prose } from '../html.ts'
import type { Page } from '../layout.ts'
import { CALLERS } from './callers.ts'
import { docsNav, operationList } from './nav.ts'
import { type DocsSite, referencePath } from './site.ts'

/** Where the documentation begins: conventions, guides, and every operation by method and path. */
export function overviewPage(site: DocsSite): Page {
  const { document, basePath, guides, groups } = site
  const { info } = document
  return {
    title: `${info.title}: documentation`,
    nav: docsNav(site, { current: '/docs' }),
    body: html`<h1>${info.title} documentation</h1>
${intro(site)}
<h2>Guides</h2>
<ul class="guides">${guides.map(({ name, title }) => html`<li><a href="${basePath}/docs/${name}">${title}</a></li>`)}</ul>
<p class="quiet">Each is also Markdown, at the same address with <code>.md</code>;
<a href="${basePath}/llms.txt">llms.txt</a> lists them for models.</p>
<h2>What can be reported</h2>
<p>${REPORTED_TYPES.length} <a href="${basePath}/docs/event-types">event types</a>, each with its fields and an example.</p>
<h2 id="operations">Operations</h2>
${groups.map(
  (group) =>
    html`<h3><a href="${referencePath(site, group)}">${group.name}</a></h3>${prose(group.description)}${operationList(site, group)}`,
)}`,
  }
}

function intro({ document, basePath, baseUrl }: DocsSite): Html {
  const { info, components } = document
  const schemes = Object.entries(components.securitySchemes)
  return html`<p>${info.description}</p>
<p>Version ${info.version}, at <code>${baseUrl}</code>. Also as an OpenAPI 3.1 document:
<a href="${basePath}/openapi.json">openapi.json</a>.</p>
<h2>Authentication</h2>
<table>${schemes.map(
    ([name, { description }]) =>
      html`<tr><th scope="row">${CALLERS[name] ?? 'any key'}</th><td>${inline(description)}</td></tr>`,
  )}</table>
<h2>Conventions</h2>
<p>Times are RFC 3339 in UTC, ids are UUIDs. Lists are read page by page: send <code>nextCursor</code>
as <code>cursor</code> until it is null. A write with an <code>Idempotency-Key</code> may be
repeated for a day and happens once. Unknown fields and query parameters are refused.
<code>RateLimit</code> says how many requests are left.
Every error has the same shape and <a href="${basePath}/docs/errors">a code with a page of its own</a>.</p>`
}

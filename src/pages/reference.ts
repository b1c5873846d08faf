import type { ErrorCode } from '../domain/error.ts'
import { docUrlOf } from '../http/error-guide.ts'
import { curl } from './curl.ts'
import {
  type Body,
  type Document,
  deref,
  exampleOf,
  jsonOf,
  type Operation,
  type Parameter,
} from './document.ts'
import { fieldItem, fields } from './fields.ts'
import { type Html, html, inline, jsonBlock, prose } from './html.ts'
import type { Page } from './layout.ts'

interface Entry {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** The API reference: everything in the OpenAPI document, on one page. */
export function referencePage(document: Document, basePath: string, baseUrl: string): Page {
  const site: Site = { document, basePath, baseUrl }
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Entry => ({ path, method, operation })),
  )
  const groups = document.tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const nav = html`<nav>${groups.map(
    ({ name, entries: own }) =>
      html`<h2>${name}</h2><ul>${own.map(
        ({ operation }) =>
          html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
      )}</ul>`,
  )}</nav>`
  const body = html`${intro(site)}${groups.map(
    ({ name, description, entries: own }) =>
      html`<section id="${name}"><h2>${name}</h2>${prose(description)}
${own.map((entry) => operationArticle(site, entry))}
${name === 'Webhooks' && notifications(document)}</section>`,
  )}`
  return { title: `${document.info.title}: API reference`, body, nav }
}

/** What every part of the page is made from. */
interface Site {
  readonly document: Document
  readonly basePath: string
  readonly baseUrl: string
}

function intro({ document, basePath, baseUrl }: Site): Html {
  const { info, components } = document
  const schemes = Object.entries(components.securitySchemes)
  return html`<h1>${info.title} API</h1>
<p>${info.description}</p>
<p>Version ${info.version}, at <code>${baseUrl}</code>. Also as an OpenAPI 3.1 document:
<a href="${basePath}/openapi.json">openapi.json</a>.</p>
<h4>Authentication</h4>
<table>${schemes.map(
    ([name, { description }]) =>
      html`<tr><th>${CALLERS[name] ?? 'any key'}</th><td>${inline(description)}</td></tr>`,
  )}</table>
<h4>Conventions</h4>
<p>Times are RFC 3339 in UTC, ids are UUIDs. Lists are read page by page: send <code>nextCursor</code>
as <code>cursor</code> until it is null. A write with an <code>Idempotency-Key</code> may be
repeated for a day and happens once. Unknown fields and query parameters are refused.
<code>RateLimit</code> says how many requests are left.
Every error has the same shape and <a href="${basePath}/docs/errors">a code with a page of its own</a>.</p>`
}

/** Who has each kind of credential; the scheme that is missing here is for any API key. */
const CALLERS: Readonly<Record<string, string>> = {
  ownerToken: 'owner',
  ownerKey: 'owner',
  agentKey: 'agent',
  platformKey: 'platform',
  operatorKey: 'operator',
}

function operationArticle(site: Site, entry: Entry): Html {
  const { document, basePath, baseUrl } = site
  const { path, method, operation } = entry
  const { operationId, summary, description, requestBody } = operation
  const body = jsonOf(requestBody)
  const good = Object.entries(operation.responses).filter(([status]) => status < '300')
  const [, response] = good.at(-1) ?? []
  const example = exampleOf(jsonOf(response))
  return html`<article id="${operationId}"><div>
<h3><a href="#${operationId}">${summary}</a></h3>
<div class="path"><span class="method">${method}</span> <code>${path}</code></div>
${description && prose(description)}
<p class="quiet">For ${callersOf(operation)}.</p>
${parameters(document, operation)}
${body && html`<h4>Body${requestBody?.required ? '' : ' (optional)'}</h4>${fields(document, body.schema)}`}
<h4>Responses</h4>
${good.map(([status, one]) => responseLine(document, status, one))}
<p class="codes">${errorCodes(document, operation).map(
    (code) => html`<a href="${basePath}${docUrlOf(code)}"><code>${code}</code></a> `,
  )}</p>
</div><aside>
<pre tabindex="0"><code>${curl(baseUrl, path, method, operation)}</code></pre>
${example !== undefined && jsonBlock(example)}
</aside></article>`
}

/** The bodies that receivers of webhooks get, by type. */
function notifications(document: Document): Html {
  const all = Object.entries(document.webhooks).map(([type, { post }]) => {
    const body = jsonOf(post?.requestBody)
    const example = exampleOf(body)
    return html`<details><summary><code>${type}</code> ${post?.summary ?? ''}</summary>
${body && fields(document, body.schema)}${example !== undefined && jsonBlock(example)}</details>`
  })
  return html`<article id="notifications"><div><h3><a href="#notifications">Notifications</a></h3>
<p>JSON, posted to your URL and signed as in Standard Webhooks.</p>${all}</div></article>`
}

function callersOf({ security }: Operation): string {
  const isOpen = security.some((one) => Object.keys(one).length === 0)
  if (isOpen) {
    return 'anyone'
  }
  const names = security.flatMap((one) => Object.keys(one))
  return [...new Set(names.flatMap((name) => CALLERS[name] ?? []))].join(', ')
}

const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const

function parameters(document: Document, operation: Operation): Html {
  const all = operation.parameters ?? []
  const groups = PLACES.map(([place, title]) => ({
    title,
    own: all.filter((parameter) => parameter.in === place),
  }))
  const item = ({ name, schema, description, required }: Parameter) => {
    const described = description ? { ...schema, description } : schema
    return fieldItem(document, name, described, required === true)
  }
  return html`${groups.map(
    ({ title, own }) =>
      own.length > 0 && html`<h4>${title}</h4><ul class="fields">${own.map(item)}</ul>`,
  )}`
}

function responseLine(
  document: Document,
  status: string,
  response: Operation['responses'][string],
): Html {
  const schema = jsonOf(response)?.schema
  const line = html`<code>${status}</code> ${inline(response.description)}`
  if (!schema) {
    return html`<p>${line}</p>`
  }
  return html`<details><summary>${line}</summary>${fields(document, schema)}</details>`
}

/** The error codes of an operation: the names of the examples of its error responses. */
function errorCodes(document: Document, { responses }: Operation): readonly ErrorCode[] {
  const errors = Object.entries(responses).filter(([status]) => status >= '400')
  return errors.flatMap(([, response]) => {
    const examples = jsonOf(deref<Body & { $ref?: string }>(document, response))?.examples
    return Object.keys(examples ?? {}) as ErrorCode[]
  })
}

import type { ErrorCode } from '../../domain/error.ts'
import { docUrlOf } from '../../http/error-guide.ts'
import { type Html, html, inline, jsonBlock, prose } from '../html.ts'
import type { Page } from '../layout.ts'
import { CALLERS } from './callers.ts'
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
import { docsNav, signature } from './nav.ts'
import type { DocsSite, Entry, TagGroup } from './site.ts'

/** The operations of one tag in full. */
export function operationsPage(site: DocsSite, group: TagGroup): Page {
  const { name, slug, description, entries } = group
  const isWebhooks = name === 'Webhooks'
  const sections = entries.map(({ method, path, operation }) => ({
    id: operation.operationId,
    title: signature(method, path),
  }))
  const more = isWebhooks ? [{ id: 'notifications', title: 'Notifications' }] : []
  return {
    title: `${site.document.info.title}: ${name}`,
    nav: docsNav(site, { current: `/docs/reference/${slug}`, sections: [...sections, ...more] }),
    body: html`<h1>${name}</h1>${prose(description)}
${entries.map((entry) => operationArticle(site, entry))}
${isWebhooks && notifications(site.document)}`,
  }
}

function operationArticle(site: DocsSite, entry: Entry): Html {
  const { document, basePath, baseUrl } = site
  const { path, method, operation } = entry
  const { operationId, summary, description, requestBody } = operation
  const body = jsonOf(requestBody)
  const good = Object.entries(operation.responses).filter(([status]) => status < '300')
  const [, response] = good.at(-1) ?? []
  const example = exampleOf(jsonOf(response))
  return html`<article id="${operationId}"><div>
<h2><a href="#${operationId}">${summary}</a></h2>
<div class="path"><span class="method">${method}</span> <code>${path}</code></div>
${description && prose(description)}
<p class="quiet">For ${callersOf(operation)}.</p>
${parameters(document, operation)}
${body && html`<h3>Body${requestBody?.required ? '' : ' (optional)'}</h3>${fields(document, body.schema)}`}
<h3>Responses</h3>
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
    return html`<details id="${type}"><summary><code>${type}</code> ${post?.summary ?? ''}</summary>
${body && fields(document, body.schema)}${example !== undefined && jsonBlock(example)}</details>`
  })
  return html`<article id="notifications"><div><h2><a href="#notifications">Notifications</a></h2>
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
      own.length > 0 && html`<h3>${title}</h3><ul class="fields">${own.map(item)}</ul>`,
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

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
import { layout } from './layout.ts'

interface Entry {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** The API reference: all that the OpenAPI document says, on one page. */
export function referencePage(document: Document, baseUrl: string): string {
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
  const body = html`${intro(document, baseUrl)}${groups.map(
    ({ name, description, entries: own }) =>
      html`<section id="${name}"><h2>${name}</h2>${prose(description)}
${own.map((entry) => operationArticle(document, baseUrl, entry))}
${name === 'Webhooks' && notifications(document)}</section>`,
  )}`
  return layout(`${document.info.title}: API reference`, body, nav)
}

function intro({ info, components }: Document, baseUrl: string): Html {
  const schemes = Object.entries(components.securitySchemes)
  return html`<h1>${info.title} API</h1>
<p>${info.description}</p>
<p>Version ${info.version}, at <code>${baseUrl}</code>. The same as an OpenAPI 3.1 document:
<a href="/openapi.json">openapi.json</a>.</p>
<h4>Who asks</h4>
<table>${schemes.map(
    ([name, { description }]) =>
      html`<tr><th>${CALLERS[name] ?? name}</th><td>${inline(description)}</td></tr>`,
  )}</table>
<h4>Good to know</h4>
<p>Times are RFC 3339 in UTC, ids are UUIDs. Lists are read page by page: give <code>nextCursor</code>
back as <code>cursor</code> until it is null. A write with an <code>Idempotency-Key</code> may be
repeated for a day and happens once. Fields that an operation does not know are refused.
<code>RateLimit</code> tells how many requests are left.
Every error has the same shape and <a href="/docs/errors">a code with a page of its own</a>.</p>`
}

const CALLERS: Readonly<Record<string, string>> = {
  ownerToken: 'owner',
  agentKey: 'agent',
  platformKey: 'platform',
  operatorKey: 'operator',
}

function operationArticle(document: Document, baseUrl: string, entry: Entry): Html {
  const { path, method, operation } = entry
  const { operationId, summary, description, requestBody } = operation
  const body = jsonOf(requestBody)
  const good = Object.entries(operation.responses).filter(([status]) => status < '300')
  const [, answer] = good.at(-1) ?? []
  const example = exampleOf(jsonOf(answer))
  return html`<article id="${operationId}"><div>
<h3><a href="#${operationId}">${summary}</a></h3>
<div class="path"><span class="method ${method}">${method}</span> <code>${path}</code></div>
${description && prose(description)}
<p class="quiet">For ${callersOf(operation)}.</p>
${parameters(document, operation)}
${body && html`<h4>Body${requestBody?.required ? '' : ', which may be left out'}</h4>${fields(document, body.schema)}`}
<h4>Answers</h4>
${good.map(([status, response]) => answerLine(document, status, response))}
<p class="codes">${errorCodes(document, operation).map(
    (code) => html`<a href="${docUrlOf(code)}"><code>${code}</code></a> `,
  )}</p>
</div><aside>
<pre><code>${curl(baseUrl, path, method, operation)}</code></pre>
${example !== undefined && jsonBlock(example)}
</aside></article>`
}

/** What receivers get, by its type. */
function notifications(document: Document): Html {
  const all = Object.entries(document.webhooks).map(([type, { post }]) => {
    const body = jsonOf(post?.requestBody)
    const example = exampleOf(body)
    return html`<details><summary><code>${type}</code> ${post?.summary ?? ''}</summary>
${body && fields(document, body.schema)}${example !== undefined && jsonBlock(example)}</details>`
  })
  return html`<article id="notices"><div><h3><a href="#notices">What is posted to you</a></h3>
<p>Signed as Standard Webhooks says; the body is JSON.</p>${all}</div></article>`
}

function callersOf({ security }: Operation): string {
  const isOpen = security.some((one) => Object.keys(one).length === 0)
  if (isOpen) {
    return 'anyone'
  }
  return security.flatMap((one) => Object.keys(one).map((name) => CALLERS[name] ?? name)).join(', ')
}

const PLACES = [
  ['path', 'In the path'],
  ['query', 'In the query'],
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

function answerLine(
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

/** The codes the operation can be refused with: each is an example of a refusal's response. */
function errorCodes(document: Document, { responses }: Operation): readonly ErrorCode[] {
  const refusals = Object.entries(responses).filter(([status]) => status >= '400')
  return refusals.flatMap(([, response]) => {
    const examples = jsonOf(deref<Body & { $ref?: string }>(document, response))?.examples
    return Object.keys(examples ?? {}) as ErrorCode[]
  })
}

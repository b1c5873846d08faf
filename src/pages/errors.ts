import type { ErrorCode, TrustError } from '../domain/error.ts'
import { docUrlOf, ERROR_GUIDE } from '../http/error-guide.ts'
import { STATUS } from '../http/errors.ts'
import { errorExample } from '../http/openapi-responses.ts'
import { type Html, html, inline, jsonBlock } from './html.ts'
import type { Page } from './layout.ts'

export const ERROR_CODES = Object.keys(STATUS) as readonly ErrorCode[]

/** The list of all codes. */
export function errorListPage(basePath: string): Page {
  const rows = ERROR_CODES.map(
    (code) =>
      html`<tr><td><a href="${basePath}${docUrlOf(code)}"><code>${code}</code></a></td><td>${STATUS[code]}</td><td>${inline(ERROR_GUIDE[code].meaning)}</td></tr>`,
  )
  return {
    title: 'Standing: errors',
    body: html`<h1>Errors</h1>
<p>Every error is JSON of one shape: a code for programs, a message for people, and details, which
always hold the <code>requestId</code> and the address of the code’s page.</p>
<table><tr><th>code</th><th>status</th><th>meaning</th></tr>${rows}</table>`,
  }
}

/** What one code means and what to do about it. */
export function errorCodePage(basePath: string, code: ErrorCode): Page {
  const { meaning, remedy, retry } = ERROR_GUIDE[code]
  return {
    title: `Standing: ${code}`,
    body: html`<p class="quiet"><a href="${basePath}/docs/errors">Errors</a></p>
<h1>${breakable(code)}</h1>
<p>Status ${STATUS[code]}. ${inline(meaning)}</p>
<h2>What to do</h2><p>${inline(remedy)}</p>
<h2>Retry</h2><p>${inline(retry)}</p>
<h2>Example</h2>${jsonBlock(errorExample(code))}`,
  }
}

/** A code that a narrow page breaks after an underscore only. */
function breakable(code: ErrorCode): readonly Html[] {
  return code.split('_').map((part, i) => (i === 0 ? html`${part}` : html`_<wbr>${part}`))
}

/** What a person sees instead of the page they asked for. */
export function refusedPage(basePath: string, error: TrustError, requestId: string): Page {
  const { code, message } = error
  const title = code === 'NOT_FOUND' ? 'Page not found' : ERROR_GUIDE[code].meaning
  return {
    title: `Standing: ${title}`,
    body: html`<h1>${inline(title)}</h1>
<p>${STATUS[code]}: ${message}.</p>
<p><a href="${basePath}/">Start page</a> · <a href="${basePath}${docUrlOf(code)}">What ${code} means</a></p>
<p class="quiet">Request <code>${requestId}</code></p>`,
  }
}

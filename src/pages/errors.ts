import type { ErrorCode } from '../domain/error.ts'
import { docUrlOf, ERROR_GUIDE } from '../http/error-guide.ts'
import { STATUS } from '../http/errors.ts'
import { exampleOf } from '../http/openapi-responses.ts'
import { html, inline, jsonBlock } from './html.ts'
import { layout } from './layout.ts'

const CODES = Object.keys(STATUS) as readonly ErrorCode[]

/** Every code at a glance. */
export function errorsPage(): string {
  const rows = CODES.map(
    (code) =>
      html`<tr><td><a href="${docUrlOf(code)}"><code>${code}</code></a></td><td>${STATUS[code]}</td><td>${inline(ERROR_GUIDE[code].meaning)}</td></tr>`,
  )
  return layout(
    'Standing: errors',
    html`<h1>Errors</h1>
<p>Every error is JSON of one shape: a code for programs, a message for people, and details, which
always hold the <code>requestId</code> and the address of the page about the code.</p>
<table><tr><th>code</th><th>status</th><th>meaning</th></tr>${rows}</table>`,
  )
}

/** What one code means and what to do about it; null where there is no such code. */
export function errorPage(name: string): string | null {
  const code = CODES.find((one) => one === name)
  if (!code) {
    return null
  }
  const { meaning, remedy, retry } = ERROR_GUIDE[code]
  return layout(
    `Standing: ${code}`,
    html`<p class="quiet"><a href="/docs/errors">Errors</a></p>
<h1>${code}</h1>
<p>Status ${STATUS[code]}. ${inline(meaning)}</p>
<h4>What to do</h4><p>${inline(remedy)}</p>
<h4>Again?</h4><p>${inline(retry)}</p>
<h4>For example</h4>${jsonBlock(exampleOf(code))}`,
  )
}

import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'
import { STYLE } from './style.ts'

export interface Page {
  readonly title: string
  readonly body: Html
  readonly nav?: Html
}

/**
 * A whole page: no script, no font, no image; nothing is loaded from anywhere. `basePath` is the path
 * of the base URL, which every link begins with: empty at the root of a host, else `/trust`.
 */
export function layout(basePath: string, { title, body, nav }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<header>
<a class="brand" href="${basePath}/">Standing</a>
<a href="${basePath}/docs">Reference</a>
<a href="${basePath}/docs/errors">Errors</a>
<a href="${basePath}/openapi.json">OpenAPI</a>
</header>
${nav}
<main>${body}</main>
</body>
</html>
`
  return page.html
}

export const HTML_TYPE = 'text/html; charset=utf-8'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The browser allows the one style, by its hash, and refuses everything else. */
function policy(formAction: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

/** What every page sends beside the headers of every response. */
export const PAGE_HEADERS = { 'content-security-policy': policy("'none'") }

/** For a page with a form of its own. */
export const FORM_PAGE_HEADERS = { 'content-security-policy': policy("'self'") }

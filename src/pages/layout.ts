import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'
import { STYLE } from './style.ts'

/** A page: no script, no font, no image; nothing is loaded from anywhere. */
export function layout(title: string, body: Html, nav?: Html): string {
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
<a class="brand" href="/">Standing</a>
<a href="/docs">Reference</a>
<a href="/docs/errors">Errors</a>
<a href="/openapi.json">OpenAPI</a>
</header>
${nav}
<main>${body}</main>
</body>
</html>
`
  return page.html
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Says so to the browser, too: the one style is allowed by its hash, everything else refused. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=300',
}

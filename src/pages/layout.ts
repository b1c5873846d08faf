import { createHash } from 'node:crypto'
import { drawMark } from '@standing/design/mark.ts'
import { type Html, html } from './html.ts'
import { STYLE } from './style.ts'

export interface Page {
  readonly title: string
  readonly body: Html
  readonly nav?: Html
  /** What other sites show of a link to the page. */
  readonly preview?: Preview
}

export interface Preview {
  readonly description: string
  /** With the host. */
  readonly url: string
  /** A PNG, with the host. */
  readonly picture: string
}

/**
 * A whole page: no script, no font; nothing is loaded from another host. `basePath` is the path
 * of the base URL, which every link begins with: empty at the root of a host, else `/trust`.
 */
export function layout(basePath: string, { title, body, nav, preview }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${basePath}/favicon.svg" type="image/svg+xml">
${preview && previewTags(title, preview)}
<style>${{ html: STYLE }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="${basePath}/">${{ html: drawMark() }}Standing</a>
<a href="${basePath}/docs">Docs</a>
<a href="${basePath}/docs/errors">Errors</a>
<a href="${basePath}/openapi.json">OpenAPI</a>
</header>
${nav}
<main id="main" tabindex="-1">${body}</main>
</body>
</html>
`
  return page.html
}

function previewTags(title: string, { description, url, picture }: Preview): Html {
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="profile">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${picture}">
<meta name="twitter:card" content="summary_large_image">`
}

export const HTML_TYPE = 'text/html; charset=utf-8'

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The browser allows the one style, by its hash, and pictures of this service; nothing else. */
function policy(formAction: string): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

/** What every page sends in addition to the headers of every response. */
export const PAGE_HEADERS = { 'content-security-policy': policy("'none'") }

/** For a page with a form of its own. */
export const FORM_PAGE_HEADERS = { 'content-security-policy': policy("'self'") }

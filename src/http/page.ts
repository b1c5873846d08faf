/** Pages for people: plain HTML that loads nothing and runs nothing. */

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.55 system-ui, sans-serif; max-width: 42rem; margin: 12vh auto 4rem; padding: 0 1.25rem; }
  h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
  pre { padding: .9rem 1rem; border-radius: .5rem; overflow-x: auto; font-size: .85rem;
        background: color-mix(in srgb, currentColor 8%, transparent); }
  code { font-family: ui-monospace, monospace; }
  .key { user-select: all; font-weight: 600; }
  button { font: inherit; font-weight: 600; padding: .6rem 1.1rem; border: 0; border-radius: .5rem;
           background: #2457d6; color: #fff; cursor: pointer; }
  p.quiet { opacity: .7; }
  dt { font-weight: 600; margin-top: .6rem; }
  dd { margin: 0; overflow-wrap: anywhere; }
`

/** Nothing but the style above may be loaded, and the form goes nowhere but here. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head><body>${body}</body></html>`
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

/** The pages of the set-up link: plain HTML that loads nothing and runs nothing. */

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
`

/** Nothing but the style above may be loaded, and the form goes nowhere but here. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export function askPage(token: string): string {
  return page(
    'Set up Standing',
    `<h1>Set up Standing</h1>
    <p>One key lets you run this service: admit platforms, set tiers, review held events.
    It is shown once, so have somewhere safe to keep it.</p>
    <form method="post" action="/setup">
      <input type="hidden" name="token" value="${escapeHtml(token)}">
      <button>Create the operator key</button>
    </form>`,
  )
}

export function keyPage(key: string, baseUrl: string): string {
  return page(
    'Your operator key',
    `<h1>Your operator key</h1>
    <pre><code class="key">${escapeHtml(key)}</code></pre>
    <p>It is not shown again. With it you admit the first platform:</p>
    <pre><code>curl -s ${escapeHtml(baseUrl)}/v1/operator/platforms \\
  -H 'X-API-Key: ${escapeHtml(key)}' -H 'content-type: application/json' \\
  -d '{"name":"My marketplace"}'</code></pre>
    <p class="quiet">The answer holds the platform’s own key, which reports what agents did.</p>`,
  )
}

export function usedPage(): string {
  return page(
    'Already set up',
    `<h1>This link works no more</h1>
    <p>Standing has been set up, or was started again since the link was printed. A fresh start
    prints a fresh link as long as there is no operator key; STANDING_OPERATOR_KEY sets one by
    hand.</p>`,
  )
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${STYLE}</style></head><body>${body}</body></html>`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

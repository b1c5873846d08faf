/** The pages of the set-up link. */
import { escapeHtml, page } from '../http/page.ts'

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

/** A link that makes no key, and what to do then. */
export function gonePage(state: 'used' | 'unknown'): string {
  return state === 'used' ? usedPage() : unknownPage()
}

function usedPage(): string {
  return page(
    'Already set up',
    `<h1>Already set up</h1>
    <p>The operator key was made, and is not shown again. If it is lost, start Standing with
    STANDING_OPERATOR_KEY set to a key of your own: avo_ and at least 32 characters.</p>`,
  )
}

function unknownPage(): string {
  return page(
    'This link is not valid',
    `<h1>This link is not valid</h1>
    <p>Each start prints a link of its own, and those of earlier starts work no more. Take the
    one that Standing printed last, whole.</p>`,
  )
}

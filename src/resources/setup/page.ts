/** The pages of the set-up link. */
import { escapeHtml, page } from '../../http/page.ts'

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

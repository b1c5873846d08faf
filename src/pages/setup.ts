import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'

/** Asks whether to create the first operator key. */
export function confirmPage(basePath: string, token: string): Page {
  return {
    title: 'Set up Standing',
    body: html`<h1>Set up Standing</h1>
<p>One key runs this service: it admits platforms, sets tiers and reviews quarantined events.
It is shown only once. Store it in a safe place.</p>
<form method="post" action="${basePath}/setup">
<input type="hidden" name="token" value="${token}">
<button>Create the operator key</button>
</form>`,
  }
}

export function keyPage(basePath: string, key: string, baseUrl: string): Page {
  return {
    title: 'Your operator key',
    body: html`<h1>Your operator key</h1>
<pre tabindex="0"><code class="key">${key}</code></pre>
<p>It is not shown again. Store it, then sign in with it:</p>
<p><a class="button" href="${basePath}/#key=${key}">Open the dashboard</a></p>
<p>Or admit the first platform from a shell:</p>
<pre tabindex="0"><code>curl -s ${baseUrl}/v1/operator/platforms \\
  -H 'X-API-Key: ${key}' -H 'content-type: application/json' \\
  -d '{"name":"My marketplace","verified":true}'</code></pre>
<p class="quiet">The response contains the key with which the platform reports what agents did. Its reports have full weight
because you know it (<code>verified</code>); those of a platform that you do not know begin with a tenth.</p>`,
  }
}

/** The page of a link that creates no key, with what to do then. */
export function expiredLinkPage(state: 'used' | 'unknown'): Page {
  const [title, text] = EXPIRED[state]
  return { title, body: html`<h1>${title}</h1><p>${text}</p>` }
}

const EXPIRED: Readonly<Record<'used' | 'unknown', readonly [title: string, text: Html]>> = {
  used: [
    'Already set up',
    html`The operator key was created and is not shown again. If it is lost, start Standing with
STANDING_OPERATOR_KEY set to a key of your own: avo_ and at least 32 characters.`,
  ],
  unknown: [
    'This link is not valid',
    html`Each start prints a link of its own, and the links of earlier starts no longer work. Copy
the whole link that Standing printed last.`,
  ],
}

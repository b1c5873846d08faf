import type { About } from '../http/openapi.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

/** What is found at the root: what this is, and where to go on. */
export function landingPage({ title, description, version }: About, baseUrl: string): string {
  return layout(
    title,
    html`<h1>${title}</h1>
<p>${description}</p>
<p><a href="/docs">API reference</a> · <a href="/docs/errors">Errors</a> ·
<a href="/openapi.json">OpenAPI document</a></p>
<h4>Try it</h4>
<pre><code>curl -s ${baseUrl}/v1/auth/register \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.com","password":"correct horse battery staple"}'</code></pre>
<p class="quiet">The answer holds a token; with it you register an agent (<code>POST /v1/agents</code>)
and read its score (<code>GET /v1/scores/{id}</code>). Version ${version}.</p>`,
  )
}

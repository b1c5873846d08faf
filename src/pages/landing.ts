import type { About } from '../http/openapi.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'

/** The page at the root where the dashboard was not built: what this is, and where to go on. */
export function landingPage(
  { title, description, version }: About,
  basePath: string,
  baseUrl: string,
): Page {
  return {
    title,
    body: html`<h1>${title}</h1>
<p>${description}</p>
<p>The dashboard is not built. Run <code>npm run build</code> and start Standing again to see it here.</p>
<p><a href="${basePath}/docs">API reference</a> · <a href="${basePath}/docs/errors">Errors</a> ·
<a href="${basePath}/openapi.json">OpenAPI document</a></p>
<h2>Try it</h2>
<pre tabindex="0"><code>curl -s ${baseUrl}/v1/auth/register \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"ada@example.com","password":"correct horse battery staple"}'</code></pre>
<p class="quiet">The response contains a token. Use it to register an agent (<code>POST /v1/agents</code>)
and read its score (<code>GET /v1/scores/{id}</code>). Version ${version}.</p>`,
  }
}

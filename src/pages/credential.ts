import { html, jsonBlock } from './html.ts'
import { layout } from './layout.ts'

/** A credential as its page shows it. Times are RFC 3339. */
export interface ShownCredential {
  readonly agentId: string
  readonly issuerId: string
  readonly assertedBy: keyof typeof CLAIMANT
  readonly type: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly status: string
  readonly issuedAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly revocationReason: string | null
  readonly jwt: string
}

/** A credential as a person reads it. */
export function credentialPage(credential: ShownCredential, basePath: string): string {
  const { agentId, issuerId, assertedBy, type, claims, status, issuedAt, expiresAt, revokedAt } =
    credential
  const facts: readonly (readonly [string, string | null])[] = [
    ['Status', status],
    ['Agent', agentId],
    ['Asserted by', CLAIMANT[assertedBy](issuerId)],
    ['Issued', issuedAt],
    ['Expires', expiresAt],
    ['Revoked', revokedAt],
    ['Reason of the revocation', credential.revocationReason],
  ]
  const known = facts.filter(([, value]) => value !== null)
  return layout(basePath, {
    title: type,
    body: html`<h1>${type}</h1>
<dl>${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<h2>Claims</h2>
${jsonBlock(claims)}
<h2>Signed token</h2>
<pre tabindex="0"><code class="key">${credential.jwt}</code></pre>
<p class="quiet">A W3C Verifiable Credential. Anyone can verify it without this service: the keys are
at <code>${didPath(basePath)}</code>, and the token names the status list that shows
whether it was revoked.</p>`,
  })
}

/** Where a did:web resolves to: at the root of a host, or under its path. */
function didPath(basePath: string): string {
  return basePath === '' ? '/.well-known/did.json' : `${basePath}/did.json`
}

/** Shown near the top: a claim of the agent's owner is not a claim of this service. */
const CLAIMANT = {
  owner: (id: string) => `the agent’s own owner (${id}), not this service`,
  service: (did: string) => `this service (${did})`,
}

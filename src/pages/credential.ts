import type { presentCredential } from '../api/credentials/present.ts'
import { escapeHtml, page } from '../http/page.ts'

/** A credential as a person reads it. */
export function credentialPage(credential: ReturnType<typeof presentCredential>): string {
  const { agentId, issuerId, assertedBy, type, claims, status, issuedAt, expiresAt, revokedAt } =
    credential
  const facts: readonly (readonly [string, string | null])[] = [
    ['Status', status],
    ['Agent', agentId],
    ['Who says so', WORD_OF[assertedBy](issuerId)],
    ['Issued', issuedAt],
    ['Expires', expiresAt],
    ['Revoked', revokedAt],
    ['Why revoked', credential.revocationReason],
  ]
  return page(
    type,
    `<h1>${escapeHtml(type)}</h1>
    <dl>${facts.map(([name, value]) => factOf(name, value)).join('')}</dl>
    <h2>What it claims</h2>
    <pre><code>${escapeHtml(JSON.stringify(claims, null, 2))}</code></pre>
    <h2>As a token</h2>
    <pre><code class="key">${escapeHtml(credential.jwt)}</code></pre>
    <p class="quiet">A W3C Verifiable Credential. Anyone can verify it without asking this service:
    the keys are at /.well-known/did.json, and the token names the list that tells of its
    revocation.</p>`,
  )
}

/** The first thing a reader should know: what an owner states about an agent of its own, only the owner states. */
const WORD_OF = {
  owner: (id: string) => `the agent’s own owner (${id}), not this service`,
  service: (did: string) => `this service (${did})`,
}

function factOf(name: string, value: string | null): string {
  return value === null ? '' : `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`
}

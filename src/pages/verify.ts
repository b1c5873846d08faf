import type { ShownCredential } from './credential.ts'
import { dateOf, momentOf } from './facts.ts'
import { type Html, html, jsonBlock } from './html.ts'
import type { Page } from './layout.ts'
import type { Site } from './profile.ts'

export interface ShownVerification {
  readonly valid: boolean
  readonly status: string
  readonly checks: Readonly<Record<keyof typeof CHECKS, boolean>>
  readonly credential: ShownCredential & { readonly id: string }
  readonly verifiedAt: string
  /** Of an agent with a public profile; else null. */
  readonly agentName: string | null
}

/** Whether a credential is valid now, for people who have a link or a code. */
export function verifyPage({ basePath, baseUrl }: Site, verification: ShownVerification): Page {
  const { status, checks, credential, verifiedAt, agentName } = verification
  const { id, type, agentId, assertedBy, issuerId, claims, issuedAt, expiresAt } = credential
  const agent = html`<code>${agentId}</code>`
  const [tone, sign, words] = VERDICTS[status] ?? VERDICTS.invalid
  return {
    title: `${type}: ${status}`,
    body: html`<h1>${type}</h1>
<p><span class="verdict verdict-${tone}"><span aria-hidden="true">${sign}</span>${words}</span></p>
<p class="quiet">Read from the database on ${momentOf(verifiedAt)}. A revocation shows at once.</p>
<dl class="facts">
<dt>Agent</dt><dd>${agentName === null ? agent : html`<a href="${basePath}/agents/${agentId}">${agentName}</a> ${agent}`}</dd>
<dt>Asserted by</dt><dd>${assertedBy === 'service' ? 'this service' : 'the agent’s own owner, not this service'} <code>${issuerId}</code></dd>
<dt>Issued</dt><dd>${dateOf(issuedAt)}</dd>
${expiresAt !== null && html`<dt>Expires</dt><dd>${dateOf(expiresAt)}</dd>`}
${revocation(credential)}
</dl>
<section class="part"><h2>Claims</h2>${
      Object.keys(claims).length > 0 ? jsonBlock(claims) : html`<p class="quiet">None.</p>`
    }</section>
<section class="part"><h2>Checks</h2><table><tbody>${CHECK_NAMES.map(
      (name) =>
        html`<tr><th scope="row">${CHECKS[name]}</th><td>${checks[name] ? 'yes' : 'no'}</td></tr>`,
    )}</tbody></table></section>
<section class="part"><h2>Verify this yourself</h2>
<pre tabindex="0"><code>curl -s ${baseUrl}/v1/credentials/verify \\
  -H 'Content-Type: application/json' \\
  -d '{"credentialId":"${id}"}'</code></pre>
<p class="quiet"><a href="${basePath}/v1/credentials/${id}">The credential itself</a>: a W3C Verifiable Credential, which
anyone can check without this service.</p></section>`,
  }
}

type Verdict = readonly [tone: 'fine' | 'bad' | 'over', sign: string, words: string]

/** What each status is for a reader; one that ended is not one that was forged. */
const VERDICTS: Readonly<Record<string, Verdict>> & { readonly invalid: Verdict } = {
  active: ['fine', '✓', 'Valid'],
  expired: ['over', '–', 'Expired'],
  revoked: ['bad', '✕', 'Revoked'],
  suspended: ['bad', '✕', 'Not valid: the agent is suspended'],
  invalid: ['bad', '✕', 'Not valid'],
}

const CHECKS = {
  signature: 'Signed with a key of this service',
  issuer: 'This service is the issuer',
  subject: 'Agent and claims unchanged',
  notBefore: 'Already in force',
  expiry: 'Not expired',
  status: 'Neither revoked nor suspended',
} as const

const CHECK_NAMES = Object.keys(CHECKS) as readonly (keyof typeof CHECKS)[]

function revocation({ revokedAt, revocationReason }: ShownCredential): Html | false {
  return (
    revokedAt !== null &&
    html`<dt>Revoked</dt><dd>${dateOf(revokedAt)}${revocationReason && html`: ${revocationReason}`}</dd>`
  )
}

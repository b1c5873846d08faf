import { HOUR_MS } from '../domain/time.ts'
import { type Payload, statementPayload } from '../domain/verifiable-credential.ts'
import type { SigningKeys } from '../signing/keys.ts'
import type { Store } from '../store/store.ts'
import { issuerOf } from './token.ts'

/** What the service states about an agent for a while. */
export interface AttestedFacts {
  readonly agentId: string
  readonly facts: Payload
  readonly at: number
}

export interface Attestation {
  readonly jwt: string
  readonly payload: Payload
  readonly expiresAt: number
}

/** An hour: short enough to need no revocation, and long enough for a site that fetches it again every half hour. */
const LIFETIME_MS = HOUR_MS

/** Signs what is known of an agent now, by the key of the credentials. Nothing is stored. */
export async function attest(
  within: Store,
  { keys, baseUrl }: { readonly keys: SigningKeys; readonly baseUrl: string },
  { agentId, facts, at }: AttestedFacts,
): Promise<Attestation> {
  const expiresAt = at + LIFETIME_MS
  const payload = statementPayload({ agentId, facts, from: at, until: expiresAt }, baseUrl)
  const { jwt } = await (await issuerOf(keys, within, baseUrl))(payload)
  return { jwt, payload, expiresAt }
}

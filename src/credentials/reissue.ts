import { credentialPayload, didOf } from '../domain/verifiable-credential.ts'
import type { SigningKeys } from '../signing/keys.ts'
import type { Store } from '../store/store.ts'
import { issuerOf } from './token.ts'

/** Signed in one transaction: well under a second of work, so that locked rows are free again soon. */
export const REISSUED_MAX = 1_000

export interface Reissuing {
  readonly keys: SigningKeys
  readonly baseUrl: () => string
  readonly now: () => number
}

/** Signs again some of the living credentials that another key, or another address, has signed. */
export async function reissueSome(
  within: Store,
  { keys, baseUrl, now }: Reissuing,
): Promise<{ readonly reissued: number; readonly more: boolean }> {
  const at = now()
  const current = { issuer: didOf(baseUrl()), kid: (await keys.inForce(within)).kid }
  const sign = await issuerOf(keys, within, baseUrl())
  const limits = { now: at, limit: REISSUED_MAX }
  const { signed, more } = await within.credentials.resign(current, limits, async (credential) => ({
    ...(await sign(credentialPayload(credential, baseUrl(), at))),
    signedAt: at,
  }))
  return { reissued: signed, more }
}

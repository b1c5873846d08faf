import type { Context } from '../context.ts'
import { TrustError } from '../domain/error.ts'
import type { ServiceTier } from '../domain/limits.ts'
import type { OwnerRow, Store } from '../store/store.ts'

const TIER_AT_FIRST: ServiceTier = 'free'

export async function registerOwner(
  store: Store,
  { now, newId }: Context,
  owner: { email: string; passwordHash: string; name: string | null },
): Promise<OwnerRow> {
  const row = { id: newId(), ...owner, tier: TIER_AT_FIRST, tokenEpoch: 0, createdAt: now() }
  if (await store.owners.insert(row)) {
    return row
  }
  throw new TrustError('CONFLICT', 'there is an account with this e-mail already; log in instead')
}

/** Says nothing of which part was wrong. */
export function loginRefused(): TrustError {
  return new TrustError('AUTHENTICATION_REQUIRED', 'the e-mail or the password is wrong')
}

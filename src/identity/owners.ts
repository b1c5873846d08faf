import { notFound, TrustError } from '../domain/error.ts'
import type { ServiceTier } from '../domain/limits.ts'
import type { Sources } from '../lib/sources.ts'
import type { OwnerRow, Store } from '../store/store.ts'

const INITIAL_TIER: ServiceTier = 'free'

export async function registerOwner(
  within: Store,
  { now, newId }: Sources,
  owner: { readonly email: string; readonly passwordHash: string; readonly name: string | null },
): Promise<OwnerRow> {
  const row = { id: newId(), ...owner, tier: INITIAL_TIER, tokenEpoch: 0, createdAt: now() }
  if (await within.owners.insert(row)) {
    return row
  }
  throw new TrustError('CONFLICT', 'an account with this e-mail exists; log in instead')
}

/** The account that a token names. */
export async function ownerOf(store: Store, ownerId: string): Promise<OwnerRow> {
  const owner = await store.owners.find(ownerId)
  if (!owner) {
    throw loginRefused()
  }
  return owner
}

/** Sets a new password, which ends every token issued before. */
export async function setPassword(
  within: Store,
  ownerId: string,
  passwordHash: string,
): Promise<OwnerRow> {
  const owner = await within.owners.update(ownerId, { passwordHash })
  if (!owner) {
    throw loginRefused()
  }
  return owner
}

/** Moves an owner, and all of the owner's agents, to another tier. */
export async function setTier(
  within: Store,
  ownerId: string,
  tier: ServiceTier,
): Promise<OwnerRow> {
  const owner = await within.owners.update(ownerId, { tier })
  if (!owner) {
    throw notFound('owner')
  }
  return owner
}

/** Does not say which of the two was wrong. */
export function loginRefused(): TrustError {
  return new TrustError('AUTHENTICATION_REQUIRED', 'the e-mail or the password is wrong')
}

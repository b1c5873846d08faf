import { issueKey } from '../auth/rotate-key.ts'
import type { CallerOf } from '../domain/caller.ts'
import { checkLimit, invalidField, notFound } from '../domain/error.ts'
import type { Scope } from '../domain/permission.ts'
import type { Sources } from '../lib/sources.ts'
import type { OwnerKeyRow, Store } from '../store/store.ts'

/** Keys of one account that work at one time: one for each of its servers, and some to spare. */
const KEYS_MAX = 100

export interface NewOwnerKey {
  readonly ownerId: string
  readonly createdBy: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
}

/** A named key of an account. The key itself is shown only now. */
export async function createOwnerKey(
  within: Store,
  { now, newId }: Sources,
  key: NewOwnerKey,
): Promise<{ readonly row: OwnerKeyRow; readonly apiKey: string }> {
  const createdAt = now()
  if (key.expiresAt !== null && key.expiresAt <= createdAt) {
    throw invalidField('expiresAt', 'lies in the past')
  }
  // The owner is locked, so that two keys at once cannot both take the last place.
  await within.owners.find({ id: key.ownerId }, { lock: 'wait' })
  const active = await within.ownerKeys.count({ ownerId: key.ownerId, at: createdAt })
  const refusal = `an account has at most ${KEYS_MAX} active API keys; revoke one`
  checkLimit('max_keys', active, KEYS_MAX, refusal)
  const row = await recordOwnerKey(within, { now: () => createdAt, newId }, key)
  const apiKey = await issueKey(within, { kind: 'owner', id: row.id }, createdAt, key.expiresAt)
  return { row, apiKey }
}

/** The record of a key, whose hash is stored apart. */
export async function recordOwnerKey(
  within: Store,
  { now, newId }: Sources,
  key: NewOwnerKey,
): Promise<OwnerKeyRow> {
  const row = { id: newId(), ...key, createdAt: now(), revokedAt: null, lastUsedAt: null }
  await within.ownerKeys.insert(row)
  return row
}

/** The key with this id, if it is one of the caller's account. */
export async function ownKey(
  store: Store,
  { ownerId }: CallerOf<'owner'>,
  id: string,
): Promise<OwnerKeyRow> {
  const key = await store.ownerKeys.find({ id })
  if (key?.ownerId !== ownerId) {
    throw notFound('API key')
  }
  return key
}

/** Ends a key: here at once, on other nodes within milliseconds. Revoking it again changes nothing. */
export async function revokeOwnerKey(
  within: Store,
  { now }: Sources,
  key: OwnerKeyRow,
): Promise<OwnerKeyRow> {
  const { id } = key
  const revoked = await within.ownerKeys.update({ id, revokedAt: null }, { revokedAt: now() })
  await within.keys.expire(id, now())
  return revoked ?? key
}

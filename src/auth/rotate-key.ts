import { DAY_MS } from '../domain/time.ts'
import type { KeyKind, Store } from '../store/store.ts'
import { hashOf, newKey } from './key-format.ts'

/** An hour to bring the new key to wherever the old one is in use. */
const OVERLAP_SECONDS = 3_600

/** A key that works no more is kept a day, for whoever wonders about it in the database. */
const EXPIRED_KEPT_MS = DAY_MS

/** Gives the holder a first key, or one more. */
export async function issueKey(
  store: Store,
  kind: KeyKind,
  principalId: string,
  now: number,
  expiresAt: number | null = null,
): Promise<string> {
  const apiKey = newKey(kind)
  const hash = hashOf(apiKey)
  await store.keys.insert({ hash, kind, principalId, createdAt: now, expiresAt })
  return apiKey
}

/** A new key; those before work on until the overlap is over. */
export async function rotateKey(
  store: Store,
  kind: KeyKind,
  principalId: string,
  now: number,
  overlapSeconds = OVERLAP_SECONDS,
): Promise<{ apiKey: string; previousKeyExpiresAt: number }> {
  const previousKeyExpiresAt = now + overlapSeconds * 1000
  await store.keys.expire(principalId, previousKeyExpiresAt)
  return { apiKey: await issueKey(store, kind, principalId, now), previousKeyExpiresAt }
}

/** Forgets the keys that expired long ago: to a caller they are the same as none. */
export async function forgetOldKeys(store: Store, now: number): Promise<void> {
  while ((await store.sweep('keys', now - EXPIRED_KEPT_MS)) > 0) {}
}

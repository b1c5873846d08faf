import { modeOf } from '../domain/mode.ts'
import { DAY_MS } from '../domain/time.ts'
import type { KeyKind, Store } from '../store/store.ts'
import { hashOf, newKey } from './key-format.ts'

/** An hour to replace the old key wherever it is in use. */
const OVERLAP_SECONDS = 3_600

/** An expired key stays in the database for a day, in case its use has to be investigated. */
const EXPIRED_KEPT_MS = DAY_MS

/** Creates a first or another key for the holder. */
export async function issueKey(
  store: Store,
  kind: KeyKind,
  principalId: string,
  now: number,
  expiresAt: number | null = null,
): Promise<string> {
  const apiKey = newKey(kind, modeOf(principalId))
  const hash = hashOf(apiKey)
  await store.keys.insert({ hash, kind, principalId, createdAt: now, expiresAt })
  return apiKey
}

/** Creates a new key; the previous ones stay valid until the overlap ends. */
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

/** Deletes the keys that expired long ago: for a caller they are the same as unknown keys. */
export async function forgetOldKeys(store: Store, now: number): Promise<void> {
  while ((await store.sweep('keys', now - EXPIRED_KEPT_MS)) > 0) {}
}

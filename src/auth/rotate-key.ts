import { modeOf } from '../domain/mode.ts'
import type { KeyKind, Store } from '../store/store.ts'
import { hashOf, newKey } from './key-format.ts'

/** An hour to replace the old key wherever it is in use. */
const OVERLAP_SECONDS = 3_600

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

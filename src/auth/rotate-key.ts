import { modeOf } from '../domain/mode.ts'
import type { KeyKind, Store } from '../store/store.ts'
import { hashOf, newKey } from './key-format.ts'

/** An hour to replace the old key wherever it is in use. */
const OVERLAP_SECONDS = 3_600

/** What a key is for. */
export interface Principal {
  readonly kind: KeyKind
  readonly id: string
}

/** Creates a first or another key for the principal. It has no end by default. */
export async function issueKey(
  store: Store,
  { kind, id: principalId }: Principal,
  createdAt: number,
  expiresAt: number | null = null,
): Promise<string> {
  const apiKey = newKey(kind, modeOf(principalId))
  await store.keys.insert({
    hash: hashOf(apiKey),
    kind,
    principalId,
    createdAt,
    expiresAt,
    lastUsedAt: null,
  })
  return apiKey
}

/** Creates a new key; the previous ones stay valid until the overlap ends. */
export async function rotateKey(
  store: Store,
  principal: Principal,
  now: number,
  overlapSeconds = OVERLAP_SECONDS,
): Promise<{ apiKey: string; previousKeyExpiresAt: number }> {
  const previousKeyExpiresAt = now + overlapSeconds * 1000
  await store.keys.expire(principal.id, previousKeyExpiresAt)
  return { apiKey: await issueKey(store, principal, now), previousKeyExpiresAt }
}

import { z } from '../http/schema.ts'
import type { KeyRow, Store } from '../store/store.ts'
import { Time, time, timeOrNull } from './wire.ts'

const KeyLastUsedAt = Time.nullable().openapi({
  example: null,
  description:
    'When one of `apiKeys` was last used, at most a minute late; null while none of them was used.',
})

const ValidKey = z.object({
  createdAt: Time,
  lastUsedAt: Time.nullable().openapi({
    example: null,
    description: 'At most a minute late; null while the key was not used.',
  }),
  expiresAt: Time.nullable().openapi({
    example: null,
    description: 'Until when it works, once another one replaces it; null before.',
  }),
})

export const ValidKeys = z.array(ValidKey).openapi({
  description:
    'Its API keys that have not expired, the newest first: more than one while a rotation overlaps.',
  example: [{ createdAt: '2026-06-15T11:00:00.000Z', lastUsedAt: null, expiresAt: null }],
})

/** What the record of whom the keys belong to shows of them. */
export const ValidKeysFields = { keyLastUsedAt: KeyLastUsedAt, apiKeys: ValidKeys }

export function presentKeys(keys: readonly KeyRow[]) {
  return keys.map(({ createdAt, lastUsedAt, expiresAt }) => ({
    createdAt: time(createdAt),
    lastUsedAt: timeOrNull(lastUsedAt),
    expiresAt: timeOrNull(expiresAt),
  }))
}

export function presentValidKeys(keys: readonly KeyRow[]) {
  const lastUsedAt = Math.max(...keys.map((key) => key.lastUsedAt ?? Number.NEGATIVE_INFINITY))
  return {
    keyLastUsedAt: timeOrNull(Number.isFinite(lastUsedAt) ? lastUsedAt : null),
    apiKeys: presentKeys(keys),
  }
}

/** The keys of one agent or platform that are valid now. */
export async function validKeysOf(
  store: Pick<Store, 'keys'>,
  principalId: string,
  now: number,
): Promise<readonly KeyRow[]> {
  return (await store.keys.validOf([principalId], now)).get(principalId) ?? []
}

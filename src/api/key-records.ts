import { z } from '../http/schema.ts'
import type { KeyRow, Store } from '../store/store.ts'
import { Time, time, timeOrNull } from './wire.ts'

const KeyLastUsedAt = Time.nullable().openapi({
  example: null,
  description:
    'When one of `apiKeys` was last used, at most a minute late; null while none of them was used.',
})

const ApiKeyRecord = z
  .object({
    createdAt: Time,
    lastUsedAt: Time.nullable().openapi({
      example: null,
      description: 'At most a minute late; null while the key was not used.',
    }),
    expiresAt: Time.nullable().openapi({
      example: null,
      description: 'When the key stops working, or has stopped. Null for a key without an end.',
    }),
  })
  .openapi('ApiKeyRecord')

export const ApiKeyRecords = z.array(ApiKeyRecord).openapi({
  description:
    'Its API keys, the newest first: those that work, and for about a day those that have ended. The keys of a former ' +
    'owner are not among them.',
  example: [{ createdAt: '2026-06-15T11:00:00.000Z', lastUsedAt: null, expiresAt: null }],
})

/** The fields about its keys that an agent and a platform have. */
export const KeyFields = { keyLastUsedAt: KeyLastUsedAt, apiKeys: ApiKeyRecords }

export function presentKeys(keys: readonly KeyRow[]) {
  return keys.map(({ createdAt, lastUsedAt, expiresAt }) => ({
    createdAt: time(createdAt),
    lastUsedAt: timeOrNull(lastUsedAt),
    expiresAt: timeOrNull(expiresAt),
  }))
}

export function presentKeyFields(keys: readonly KeyRow[]) {
  const lastUsedAt = Math.max(...keys.map((key) => key.lastUsedAt ?? Number.NEGATIVE_INFINITY))
  return {
    keyLastUsedAt: timeOrNull(Number.isFinite(lastUsedAt) ? lastUsedAt : null),
    apiKeys: presentKeys(keys),
  }
}

/** The keys of an agent, a platform or an operator, the newest first. */
export async function keysOf(
  store: Pick<Store, 'keys'>,
  holderId: string,
): Promise<readonly KeyRow[]> {
  return (await store.keys.findMany([holderId])).get(holderId) ?? []
}

/** The same of each of these, read at once. */
export async function keysOfEach(
  store: Pick<Store, 'keys'>,
  holders: readonly { readonly id: string }[],
): Promise<(holder: { readonly id: string }) => readonly KeyRow[]> {
  const keys = await store.keys.findMany(holders.map(({ id }) => id))
  return ({ id }) => keys.get(id) ?? []
}

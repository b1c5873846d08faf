import type { OwnerKeyRow } from '../../store/store.ts'
import { time, timeOrNull } from '../wire.ts'

export function presentOwnerKey(key: OwnerKeyRow, now: number) {
  const { id, name, scopes, createdBy, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  return {
    id,
    name,
    scopes,
    status: statusOf(key, now),
    createdBy,
    createdAt: time(createdAt),
    expiresAt: timeOrNull(expiresAt),
    revokedAt: timeOrNull(revokedAt),
    lastUsedAt: timeOrNull(lastUsedAt),
  }
}

function statusOf({ revokedAt, expiresAt }: OwnerKeyRow, now: number) {
  if (revokedAt !== null) {
    return 'revoked'
  }
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active'
}

import type { OwnerKeyKey, OwnerKeyRow, OwnerKeyStore } from '../owner-keys.ts'
import { rowStore } from './row-store.ts'
import { byId, countOf } from './rows.ts'
import type { Session } from './session.ts'
import { readerOf, tableOf } from './table.ts'

const OWNER_KEYS = tableOf<OwnerKeyRow>('owner_keys', {
  id: 'id',
  ownerId: 'owner_id',
  name: 'name',
  scopes: 'scopes',
  createdBy: 'created_by',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  lastUsedAt: 'last_used_at',
})

const rowsIn = rowStore<OwnerKeyRow, OwnerKeyKey, string>(OWNER_KEYS, {
  list: { of: 'owner_id = $1', order: 'id desc' },
})

export function ownerKeyStore(session: Session): OwnerKeyStore {
  const { sql } = session
  return {
    ...rowsIn(session),
    async findMany(ids) {
      if (ids.length === 0) {
        return new Map()
      }
      const text = `select ${OWNER_KEYS.columns} from owner_keys where id = any($1::uuid[])`
      return byId(await readerOf(sql, OWNER_KEYS).all(text, [ids]))
    },
    count: ({ ownerId, at }) =>
      countOf(
        sql,
        `select count(*) as count from owner_keys
         where owner_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
        [ownerId, at],
      ),
  }
}

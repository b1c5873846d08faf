import type { Scope } from '../../domain/permission.ts'
import type { OwnerKeyRow, OwnerKeyStore } from '../owner-keys.ts'
import { first, ID_MAX, page } from './rows.ts'
import type { Session } from './session.ts'

interface Row {
  id: string
  owner_id: string
  name: string
  scopes: Scope[]
  created_by: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

const COLUMNS =
  'id, owner_id, name, scopes, created_by, created_at, expires_at, revoked_at, last_used_at'

export function ownerKeyStore({ sql }: Session): OwnerKeyStore {
  return {
    async insert({ id, ownerId, name, scopes, createdBy, createdAt, expiresAt }) {
      await sql(
        `insert into owner_keys (id, owner_id, name, scopes, created_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [id, ownerId, name, scopes, createdBy, createdAt, expiresAt],
      )
    },
    async find(ids) {
      if (ids.length === 0) {
        return []
      }
      const rows = await sql<Row>(`select ${COLUMNS} from owner_keys where id = any($1::uuid[])`, [
        ids,
      ])
      return rows.map(toOwnerKey)
    },
    async list(ownerId, before, limit) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from owner_keys
         where owner_id = $1 and id < coalesce($2::uuid, '${ID_MAX}') order by id desc limit $3`,
        [ownerId, before, limit + 1],
      )
      return page(rows.map(toOwnerKey), limit)
    },
    async countActive(ownerId, now) {
      const rows = await sql<{ count: number }>(
        `select count(*) as count from owner_keys
         where owner_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
        [ownerId, now],
      )
      return first(rows)?.count ?? 0
    },
    async revoke(id, at) {
      const row = first(
        await sql<Row>(
          `update owner_keys set revoked_at = $2 where id = $1 and revoked_at is null
           returning ${COLUMNS}`,
          [id, at],
        ),
      )
      return row && toOwnerKey(row)
    },
  }
}

function toOwnerKey(row: Row): OwnerKeyRow {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    scopes: row.scopes,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

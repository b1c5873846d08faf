import type { ServiceTier } from '../../domain/limits.ts'
import type { OwnerRow, OwnerStatus, OwnerStore } from '../owners.ts'
import { first, ID_MAX, isTest, locking, page } from './rows.ts'
import type { Session } from './session.ts'

interface Row {
  id: string
  email: string
  name: string | null
  tier: ServiceTier
  status: OwnerStatus
  created_at: number
}

const COLUMNS = 'id, email, name, tier, status, created_at'

export function ownerStore({ sql, changed }: Session): OwnerStore {
  const one = async (text: string, values: readonly unknown[]) => {
    const row = first(await sql<Row>(text, values))
    return row && toOwner(row)
  }
  return {
    async insert({ id, email, name, tier, status, createdAt }) {
      const rows = await sql(
        `insert into owners (${COLUMNS}) values ($1, $2, $3, $4, $5, $6)
         on conflict (email) do nothing returning id`,
        [id, email, name, tier, status, createdAt],
      )
      return rows.length === 1
    },
    find: (id, options) =>
      one(`select ${COLUMNS} from owners where id = $1 ${locking(options)}`, [id]),
    async list(before, limit) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from owners
         where id < coalesce($1::uuid, '${ID_MAX}') and not ${isTest('id')} order by id desc limit $2`,
        [before, limit + 1],
      )
      return page(rows.map(toOwner), limit)
    },
    async update(id, { tier = null, status = null }) {
      const owner = await one(
        `update owners set tier = coalesce($2, tier), status = coalesce($3, status)
         where id = $1 returning ${COLUMNS}`,
        [id, tier, status],
      )
      await changed({ kind: 'callers', ids: [id] })
      return owner
    },
  }
}

function toOwner(row: Row): OwnerRow {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    tier: row.tier,
    status: row.status,
    createdAt: row.created_at,
  }
}

import type { ServiceTier } from '../../domain/limits.ts'
import type { OwnerRow, OwnerStore } from '../owners.ts'
import { first, locking, page } from './rows.ts'
import type { Session } from './session.ts'

interface Row {
  id: string
  email: string
  name: string | null
  password_hash: string
  tier: ServiceTier
  token_epoch: number
  created_at: number
}

const COLUMNS = 'id, email, name, password_hash, tier, token_epoch, created_at'

export function ownerStore({ sql, changed }: Session): OwnerStore {
  const one = async (text: string, values: readonly unknown[]) => {
    const row = first(await sql<Row>(text, values))
    return row && toOwner(row)
  }
  return {
    async insert(owner) {
      const rows = await sql(
        `insert into owners (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (email) do nothing returning id`,
        [
          owner.id,
          owner.email,
          owner.name,
          owner.passwordHash,
          owner.tier,
          owner.tokenEpoch,
          owner.createdAt,
        ],
      )
      return rows.length === 1
    },
    find: (id, options) =>
      one(`select ${COLUMNS} from owners where id = $1 ${locking(options)}`, [id]),
    findByEmail: (email) => one(`select ${COLUMNS} from owners where email = $1`, [email]),
    async list(before, limit) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from owners where $1::uuid is null or id < $1 order by id desc limit $2`,
        [before, limit + 1],
      )
      return page(rows.map(toOwner), limit)
    },
    async update(id, change) {
      const owner = await ('tier' in change
        ? one(`update owners set tier = $2 where id = $1 returning ${COLUMNS}`, [id, change.tier])
        : one(
            `update owners set password_hash = $2, token_epoch = token_epoch + 1
             where id = $1 returning ${COLUMNS}`,
            [id, change.passwordHash],
          ))
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
    passwordHash: row.password_hash,
    tier: row.tier,
    tokenEpoch: row.token_epoch,
    createdAt: row.created_at,
  }
}

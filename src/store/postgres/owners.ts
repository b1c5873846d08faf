import type { ServiceTier } from '../../domain/limits.ts'
import type { OwnerRow, OwnerStore } from '../store.ts'
import { tellChange } from './changes.ts'
import { lockKey } from './idempotency.ts'
import { first, page } from './rows.ts'
import type { Sql } from './sql.ts'

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

const DAY_MS = 86_400_000

export function ownerStore(sql: Sql): OwnerStore {
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
    find: (id) => one(`select ${COLUMNS} from owners where id = $1`, [id]),
    lock: (id) => one(`select ${COLUMNS} from owners where id = $1 for update`, [id]),
    findByEmail: (email) => one(`select ${COLUMNS} from owners where email = $1`, [email]),
    async list(before, limit) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from owners where $1::uuid is null or id < $1 order by id desc limit $2`,
        [before, limit + 1],
      )
      return page(rows.map(toOwner), limit)
    },
    async setTier(id, tier) {
      const owner = await one(`update owners set tier = $2 where id = $1 returning ${COLUMNS}`, [
        id,
        tier,
      ])
      await tellChange(sql, 'callers', [id])
      return owner
    },
    async setPassword(id, passwordHash) {
      const owner = await one(
        `update owners set password_hash = $2, token_epoch = token_epoch + 1
         where id = $1 returning ${COLUMNS}`,
        [id, passwordHash],
      )
      await tellChange(sql, 'callers', [id])
      return owner
    },
    async loginFailures(names, since, max) {
      const rows = await sql<{ oldest: number }>(
        `select (array_agg(at order by at desc))[$3] as oldest from login_failures
         where name = any($1::bytea[]) and at > $2 group by name having count(*) >= $3`,
        [names, since, max],
      )
      return rows.length === 0 ? null : Math.max(...rows.map(({ oldest }) => oldest))
    },
    async lockLoginFailures(names) {
      const keys = names.map(lockKey).sort()
      await sql('select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as t(key)', [keys])
    },
    async addLoginFailure(names, at) {
      await sql('delete from login_failures where at < $1', [at - DAY_MS])
      await sql(
        'insert into login_failures (name, at) select name, $2 from unnest($1::bytea[]) as t(name)',
        [names, at],
      )
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

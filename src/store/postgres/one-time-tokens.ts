import type { OneTimeToken, OneTimeTokenStore, TokenPurpose } from '../one-time-tokens.ts'
import { first } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  hash: Buffer
  purpose: TokenPurpose
  member_id: string
  is_mailed: boolean
  created_at: number
  expires_at: number
}

const COLUMNS = 'hash, purpose, member_id, is_mailed, created_at, expires_at'

export function oneTimeTokenStore(sql: Sql): OneTimeTokenStore {
  const one = async (text: string, values: readonly unknown[]) => {
    const row = first(await sql<Row>(text, values))
    return row && toToken(row)
  }
  return {
    async insert({ hash, purpose, memberId, isMailed, createdAt, expiresAt }) {
      await sql(`insert into one_time_tokens (${COLUMNS}) values ($1, $2, $3, $4, $5, $6)`, [
        hash,
        purpose,
        memberId,
        isMailed,
        createdAt,
        expiresAt,
      ])
    },
    find: (hash) => one(`select ${COLUMNS} from one_time_tokens where hash = $1`, [hash]),
    take: (hash) => one(`delete from one_time_tokens where hash = $1 returning ${COLUMNS}`, [hash]),
    async deleteOf(memberId, purpose) {
      await sql(
        `delete from one_time_tokens where member_id = $1 and ($2::text is null or purpose = $2)`,
        [memberId, purpose ?? null],
      )
    },
  }
}

function toToken(row: Row): OneTimeToken {
  return {
    hash: row.hash,
    purpose: row.purpose,
    memberId: row.member_id,
    isMailed: row.is_mailed,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

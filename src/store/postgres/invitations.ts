import type { Role } from '../../domain/permission.ts'
import type { InvitationKey, InvitationRow, InvitationStore } from '../invitations.ts'
import { first, ID_MAX, page } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  id: string
  owner_id: string | null
  role: Role | null
  email: string
  token_hash: Buffer
  is_mailed: boolean
  created_at: number
  expires_at: number
}

const COLUMNS = 'id, owner_id, role, email, token_hash, is_mailed, created_at, expires_at'

export function invitationStore(sql: Sql): InvitationStore {
  const one = async (text: string, values: readonly unknown[]) => {
    const row = first(await sql<Row>(text, values))
    return row && toInvitation(row)
  }
  return {
    async insert({ id, ownerId, role, email, tokenHash, isMailed, createdAt, expiresAt }) {
      await sql(`insert into invitations (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)`, [
        id,
        ownerId,
        role,
        email,
        tokenHash,
        isMailed,
        createdAt,
        expiresAt,
      ])
    },
    find(by) {
      const [where, value] = conditionOf(by)
      return one(`select ${COLUMNS} from invitations where ${where}`, [value])
    },
    async list(ownerId, before, limit) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from invitations
         where owner_id is not distinct from $1 and id < coalesce($2::uuid, '${ID_MAX}')
         order by id desc limit $3`,
        [ownerId, before, limit + 1],
      )
      return page(rows.map(toInvitation), limit)
    },
    async countTaken(ownerId, now) {
      const rows = await sql<{ count: number }>(
        `select (select count(*) from members where owner_id = $1) + (select count(*) from invitations
           where owner_id is not distinct from $1 and expires_at > $2) as count`,
        [ownerId, now],
      )
      return first(rows)?.count ?? 0
    },
    setMailedToken: (id, tokenHash) =>
      one(
        `update invitations set token_hash = $2, is_mailed = true where id = $1 returning ${COLUMNS}`,
        [id, tokenHash],
      ),
    take(by) {
      const [where, value] = conditionOf(by)
      return one(`delete from invitations where ${where} returning ${COLUMNS}`, [value])
    },
  }
}

function conditionOf(by: InvitationKey): readonly [where: string, value: unknown] {
  return 'id' in by ? ['id = $1', by.id] : ['token_hash = $1', by.tokenHash]
}

function toInvitation(row: Row): InvitationRow {
  return {
    id: row.id,
    ownerId: row.owner_id,
    role: row.role,
    email: row.email,
    tokenHash: row.token_hash,
    isMailed: row.is_mailed,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

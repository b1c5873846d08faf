import type { SessionRow, SessionStore } from '../sessions.ts'
import { MEMBER_COLUMNS, type MemberColumns, toMember } from './members.ts'
import { first, ID_MAX, page } from './rows.ts'
import type { Session } from './session.ts'

interface Row {
  session_id: string
  member_id: string
  epoch: number
  started_at: number
  last_used_at: number
  expires_at: number
}

/** Columns of the member beside them have some of the same names. */
const COLUMNS = `s.id as session_id, s.member_id, s.epoch, s.created_at as started_at, s.last_used_at,
  s.expires_at`

const OPEN = 'sessions s join members m on m.id = s.member_id and m.token_epoch = s.epoch'

const OF_MEMBER = MEMBER_COLUMNS.map((column) => `m.${column}`).join(', ')

export function sessionStore({ sql, changed }: Session): SessionStore {
  return {
    async insert({ id, memberId, epoch, createdAt, lastUsedAt, expiresAt }) {
      await sql(
        `insert into sessions (id, member_id, epoch, created_at, last_used_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [id, memberId, epoch, createdAt, lastUsedAt, expiresAt],
      )
    },
    async find(id) {
      const row = first(
        await sql<Row & MemberColumns>(
          `select ${COLUMNS}, ${OF_MEMBER} from ${OPEN} where s.id = $1`,
          [id],
        ),
      )
      return row && { session: toSession(row), member: toMember(row) }
    },
    async list(memberId, { expiresAfter, usedAfter }, before, limit) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from ${OPEN}
         where s.member_id = $1 and s.expires_at > $2 and s.last_used_at > $3
           and s.id < coalesce($4::uuid, '${ID_MAX}') order by s.id desc limit $5`,
        [memberId, expiresAfter, usedAfter, before, limit + 1],
      )
      return page(rows.map(toSession), limit)
    },
    async end(id, memberId) {
      const written = await sql.written('delete from sessions where id = $1 and member_id = $2', [
        id,
        memberId,
      ])
      await changed({ kind: 'callers', ids: [id] })
      return written === 1
    },
  }
}

function toSession(row: Row): SessionRow {
  return {
    id: row.session_id,
    memberId: row.member_id,
    epoch: row.epoch,
    createdAt: row.started_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  }
}

import type { MailKind, MailQueueStore } from '../mail-queue.ts'
import { first } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  id: string
  kind: MailKind
  address: string
  invitation_id: string | null
  attempts: number
  created_at: number
}

export function mailQueueStore(sql: Sql): MailQueueStore {
  return {
    async insert({ id, kind, address, invitationId, createdAt }) {
      await sql(
        `insert into mail_queue (id, kind, address, invitation_id, next_attempt_at, created_at)
         values ($1, $2, $3, $4, $5, $5)`,
        [id, kind, address, invitationId, createdAt],
      )
    },
    async claim(now, until) {
      const row = first(
        await sql<Row>(
          `update mail_queue set attempts = attempts + 1, next_attempt_at = $2
           where id = (
             select id from mail_queue where next_attempt_at <= $1 order by next_attempt_at limit 1
             for update skip locked)
           returning id, kind, address, invitation_id, attempts, created_at`,
          [now, until],
        ),
      )
      return row && toMail(row)
    },
    async postpone(id, until) {
      await sql('update mail_queue set next_attempt_at = $2 where id = $1', [id, until])
    },
    async delete(id) {
      await sql('delete from mail_queue where id = $1', [id])
    },
  }
}

function toMail(row: Row) {
  return {
    id: row.id,
    kind: row.kind,
    address: row.address,
    invitationId: row.invitation_id,
    attempts: row.attempts,
    createdAt: row.created_at,
  }
}

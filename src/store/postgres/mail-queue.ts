import type { MailQueueStore, MailRow } from '../mail-queue.ts'
import type { ById } from '../rows.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { readerOf, tableOf } from './table.ts'

const MAIL_QUEUE = tableOf<MailRow>('mail_queue', {
  id: 'id',
  kind: 'kind',
  address: 'address',
  invitationId: 'invitation_id',
  attempts: 'attempts',
  nextAttemptAt: 'next_attempt_at',
  createdAt: 'created_at',
})

const rowsIn = rowStore<MailRow, ById>(MAIL_QUEUE, {})

export function mailQueueStore(session: Session): MailQueueStore {
  const { all } = readerOf(session.sql, MAIL_QUEUE)
  return {
    ...rowsIn(session),
    claimDue: (now, until, limit) =>
      all(
        `update mail_queue set attempts = attempts + 1, next_attempt_at = $2
         where id = any(array(
           select id from mail_queue where next_attempt_at <= $1 order by next_attempt_at limit $3
           for update skip locked))
         returning ${MAIL_QUEUE.columns}`,
        [now, until, limit],
      ),
  }
}

import type { MailQueueStore, MailRow } from '../mail-queue.ts'
import type { ById } from '../rows.ts'
import { rowStore } from './row-store.ts'
import { first } from './rows.ts'
import type { Session } from './session.ts'
import { type Answer, tableOf } from './table.ts'

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
  return {
    ...rowsIn(session),
    async claim(now, until) {
      const answer = first(
        await session.sql<Answer>(
          `update mail_queue set attempts = attempts + 1, next_attempt_at = $2
           where id = (
             select id from mail_queue where next_attempt_at <= $1 order by next_attempt_at limit 1
             for update skip locked)
           returning ${MAIL_QUEUE.columns()}`,
          [now, until],
        ),
      )
      return answer && MAIL_QUEUE.read(answer)
    },
  }
}

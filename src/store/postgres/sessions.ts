import type { OpenSessions, SessionRow, SessionStore } from '../sessions.ts'
import { MEMBERS } from './members.ts'
import { rowStore } from './row-store.ts'
import { first } from './rows.ts'
import type { Session } from './session.ts'
import { type Answer, tableOf } from './table.ts'

const SESSIONS = tableOf<SessionRow>('sessions', {
  id: 'id',
  memberId: 'member_id',
  epoch: 'epoch',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
  expiresAt: 'expires_at',
})

const rowsIn = rowStore<SessionRow, Pick<SessionRow, 'id' | 'memberId'>, OpenSessions>(SESSIONS, {
  list: {
    of: `member_id = $1 and expires_at > $2 and last_used_at > $3
      and epoch = (select token_epoch from members where id = $1)`,
    values: ({ memberId, expiresAfter, usedAfter }) => [memberId, expiresAfter, usedAfter],
    order: 'id desc',
  },
  change: ({ id }) => ({ kind: 'callers', ids: [id] }),
})

export function sessionStore(session: Session): SessionStore {
  return {
    ...rowsIn(session),
    async find({ id }) {
      // Two of the member's columns have the names of columns of the session.
      const answer = first(
        await session.sql<Answer>(
          `select ${MEMBERS.columnsOf('m')}, s.created_at as started_at, s.epoch, s.last_used_at, s.expires_at
           from sessions s join members m on m.id = s.member_id and m.token_epoch = s.epoch
           where s.id = $1`,
          [id],
        ),
      )
      return (
        answer && {
          session: SESSIONS.read({
            ...answer,
            id,
            member_id: answer.id,
            created_at: answer.started_at,
          }),
          member: MEMBERS.read(answer),
        }
      )
    },
  }
}

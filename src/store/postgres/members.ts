import type { MemberKey, MemberRow, MemberStore } from '../members.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { readerOf, tableOf } from './table.ts'

export const MEMBERS = tableOf<MemberRow>('members', {
  id: 'id',
  ownerId: 'owner_id',
  email: 'email',
  name: 'name',
  role: 'role',
  passwordHash: 'password_hash',
  tokenEpoch: 'token_epoch',
  emailConfirmedAt: 'email_confirmed_at',
  createdAt: 'created_at',
})

const rowsIn = rowStore<MemberRow, MemberKey, string>(MEMBERS, {
  expectsDuplicates: true,
  list: { of: 'owner_id = $1', order: 'id desc' },
  change: ({ id }) => ({ kind: 'callers', ids: [id] }),
})

export function memberStore(session: Session): MemberStore {
  const { sql, changed } = session
  const { one } = readerOf(sql, MEMBERS)
  return {
    ...rowsIn(session),
    async update({ id }, { role, passwordHash, emailConfirmedAt, endsSessions = false }) {
      const member = await one(
        `update members set role = coalesce($2, role), password_hash = coalesce($3, password_hash),
           email_confirmed_at = coalesce($4, email_confirmed_at), token_epoch = token_epoch + $5
         where id = $1 returning ${MEMBERS.columns}`,
        [
          id,
          role ?? null,
          passwordHash ?? null,
          emailConfirmedAt ?? null,
          endsSessions || passwordHash !== undefined ? 1 : 0,
        ],
      )
      await changed({ kind: 'callers', ids: [id] })
      return member
    },
  }
}

import type { MemberKey, MemberRow, MemberStore } from '../members.ts'
import type { ById } from '../rows.ts'
import type { FindOptions } from '../types.ts'
import { rowStore } from './row-store.ts'
import { locking } from './rows.ts'
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

const rowsIn = rowStore<MemberRow, ById | { readonly email: string }, string>(MEMBERS, {
  expectsDuplicates: true,
  list: { of: 'owner_id = $1', order: 'id desc' },
  change: ({ id }) => ({ kind: 'callers', ids: [id] }),
})

export function memberStore(session: Session): MemberStore {
  const { sql, changed } = session
  const rows = rowsIn(session)
  const { one } = readerOf(sql, MEMBERS)
  return {
    ...rows,
    async find(by: MemberKey, options?: FindOptions) {
      if (!('issuer' in by)) {
        return rows.find(by, options)
      }
      return one(
        `select ${MEMBERS.columns} from members
         where id = (select member_id from oidc_identities where issuer = $1 and subject = $2)
         ${locking(options)}`,
        [by.issuer, by.subject],
      )
    },
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
    async link(id, { issuer, subject }, now) {
      const written = await sql.written(
        `insert into oidc_identities (issuer, subject, member_id, created_at)
         select $1, $2, $3, $4
         where not exists (select from oidc_identities where member_id = $3 and issuer = $1)`,
        [issuer, subject, id, now],
      )
      return written === 1
    },
    async unlink(id) {
      await sql('delete from oidc_identities where member_id = $1', [id])
    },
  }
}

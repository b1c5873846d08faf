import type { Role } from '../../domain/permission.ts'
import type { MemberKey, MemberRow, MemberStore } from '../members.ts'
import { first, ID_MAX, locking, page } from './rows.ts'
import type { Session } from './session.ts'

export interface MemberColumns {
  id: string
  owner_id: string
  email: string
  name: string | null
  role: Role
  password_hash: string | null
  token_epoch: number
  email_confirmed_at: number | null
  created_at: number
}

export const MEMBER_COLUMNS: readonly (keyof MemberColumns)[] = [
  'id',
  'owner_id',
  'email',
  'name',
  'role',
  'password_hash',
  'token_epoch',
  'email_confirmed_at',
  'created_at',
]
const COLUMNS = MEMBER_COLUMNS.join(', ')

export function memberStore({ sql, changed }: Session): MemberStore {
  const one = async (text: string, values: readonly unknown[]) => {
    const row = first(await sql<MemberColumns>(text, values))
    return row && toMember(row)
  }
  return {
    async insert(member) {
      const rows = await sql(
        `insert into members (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (email) do nothing returning id`,
        [
          member.id,
          member.ownerId,
          member.email,
          member.name,
          member.role,
          member.passwordHash,
          member.tokenEpoch,
          member.emailConfirmedAt,
          member.createdAt,
        ],
      )
      return rows.length === 1
    },
    find(by, options) {
      const [where, values] = whereOf(by)
      return one(`select ${COLUMNS} from members where ${where} ${locking(options)}`, values)
    },
    async list(ownerId, before, limit) {
      const rows = await sql<MemberColumns>(
        `select ${COLUMNS} from members
         where owner_id = $1 and id < coalesce($2::uuid, '${ID_MAX}') order by id desc limit $3`,
        [ownerId, before, limit + 1],
      )
      return page(rows.map(toMember), limit)
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
    async update(id, { role, passwordHash, emailConfirmedAt, endsSessions = false }) {
      const member = await one(
        `update members set role = coalesce($2, role), password_hash = coalesce($3, password_hash),
           email_confirmed_at = coalesce($4, email_confirmed_at), token_epoch = token_epoch + $5
         where id = $1 returning ${COLUMNS}`,
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
    async delete(id) {
      const written = await sql.written('delete from members where id = $1', [id])
      await changed({ kind: 'callers', ids: [id] })
      return written === 1
    },
  }
}

function whereOf(by: MemberKey): readonly [where: string, values: readonly string[]] {
  if ('id' in by) {
    return ['id = $1', [by.id]]
  }
  if ('email' in by) {
    return ['email = $1', [by.email]]
  }
  return [
    'id = (select member_id from oidc_identities where issuer = $1 and subject = $2)',
    [by.issuer, by.subject],
  ]
}

export function toMember(row: MemberColumns): MemberRow {
  return {
    id: row.id,
    ownerId: row.owner_id,
    email: row.email,
    name: row.name,
    role: row.role,
    passwordHash: row.password_hash,
    tokenEpoch: row.token_epoch,
    emailConfirmedAt: row.email_confirmed_at,
    createdAt: row.created_at,
  }
}

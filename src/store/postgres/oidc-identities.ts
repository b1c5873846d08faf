import type { OidcIdentityStore } from '../oidc-identities.ts'
import { first } from './rows.ts'
import type { Sql } from './sql.ts'

export function oidcIdentityStore(sql: Sql): OidcIdentityStore {
  return {
    async find(issuer, subject) {
      const rows = await sql<{ member_id: string }>(
        'select member_id from oidc_identities where issuer = $1 and subject = $2',
        [issuer, subject],
      )
      return first(rows)?.member_id ?? null
    },
    async insert({ issuer, subject, memberId, createdAt }) {
      await sql(
        `insert into oidc_identities (issuer, subject, member_id, created_at)
         values ($1, $2, $3, $4)`,
        [issuer, subject, memberId, createdAt],
      )
    },
  }
}

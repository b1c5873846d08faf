import type { Role } from '../domain/permission.ts'
import type { OwnerRow } from './owners.ts'
import type { ById, Listed, Rows } from './rows.ts'

/** A person of an account. The one who opened it has the id of the account. */
export interface MemberRow {
  readonly id: string
  readonly ownerId: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  /** Null for a person who signs in by OpenID Connect alone. */
  readonly passwordHash: string | null
  /** Sessions of an earlier epoch have ended. */
  readonly tokenEpoch: number
  readonly emailConfirmedAt: number | null
  readonly createdAt: number
}

/** A person, and the account. */
export interface AccountMember {
  readonly member: MemberRow
  readonly owner: OwnerRow
}

export interface MemberChange {
  readonly role?: Role | undefined
  readonly emailConfirmedAt?: number | undefined
  /** A new password starts a new token epoch. */
  readonly passwordHash?: string | undefined
  /** Ends every earlier session. */
  readonly endsSessions?: boolean | undefined
}

export type MemberKey = ById | { readonly email: string }

/** People. No two have the same e-mail, whichever their accounts. */
export interface MemberStore
  extends Pick<Rows<MemberRow, MemberKey>, 'find'>,
    Pick<Rows<MemberRow, ById>, 'insert' | 'delete'>,
    Listed<MemberRow, string> {
  update(by: ById, change: MemberChange): Promise<MemberRow | null>
}

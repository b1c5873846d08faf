import type { Groups, Rows } from './rows.ts'

/** The name that a provider of OpenID Connect has for a member. */
export interface OidcIdentity {
  readonly issuer: string
  readonly subject: string
  readonly memberId: string
  readonly createdAt: number
}

/** A member has at most one of each issuer: the member is locked before one is inserted. */
export type OidcIdentityKey =
  | Pick<OidcIdentity, 'issuer' | 'subject'>
  | Pick<OidcIdentity, 'issuer' | 'memberId'>

export type OidcIdentityStore = Pick<Rows<OidcIdentity, OidcIdentityKey>, 'insert' | 'find'> &
  Pick<Groups<OidcIdentity, Pick<OidcIdentity, 'memberId'>>, 'deleteAll'>

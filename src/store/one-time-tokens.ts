import type { Groups, Rows } from './rows.ts'

export type TokenPurpose = 'password_reset' | 'email_confirmation' | 'oidc_session'

/** The token of a link to one member, which is used once. */
export interface OneTimeToken {
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
  readonly purpose: TokenPurpose
  readonly memberId: string
  /** The token went out by mail alone, so its use proves the address. */
  readonly isMailed: boolean
  readonly createdAt: number
  readonly expiresAt: number
}

export type OneTimeTokenKey = Pick<OneTimeToken, 'hash'>

export type TokensOf = Pick<OneTimeToken, 'memberId'> & Partial<Pick<OneTimeToken, 'purpose'>>

/** Tokens of links. One that is used is deleted. */
export type OneTimeTokenStore = Pick<
  Rows<OneTimeToken, OneTimeTokenKey>,
  'insert' | 'find' | 'delete'
> &
  Pick<Groups<OneTimeToken, TokensOf>, 'deleteAll'>

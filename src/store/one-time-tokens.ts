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

export interface OneTimeTokenStore {
  insert(token: OneTimeToken): Promise<void>
  /** The token as it is, without using it. */
  find(hash: Uint8Array): Promise<OneTimeToken | null>
  /** Deletes the token and answers it. */
  take(hash: Uint8Array): Promise<OneTimeToken | null>
  /** Deletes the member's tokens of this purpose, or all. */
  deleteOf(memberId: string, purpose?: TokenPurpose): Promise<void>
}

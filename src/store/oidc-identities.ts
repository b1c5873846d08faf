/** Which member a provider's name for a person stands for. */
export interface OidcIdentityStore {
  /** The member's id. */
  find(issuer: string, subject: string): Promise<string | null>
  insert(identity: OidcIdentity): Promise<void>
}

interface OidcIdentity {
  readonly issuer: string
  readonly subject: string
  readonly memberId: string
  readonly createdAt: number
}

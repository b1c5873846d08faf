import type { Role } from '../domain/permission.ts'
import type { Page } from './types.ts'

export interface InvitationRow {
  readonly id: string
  /** The account to join; null for an invitation to open an account. */
  readonly ownerId: string | null
  /** Null for an invitation to open an account. */
  readonly role: Role | null
  readonly email: string
  /** SHA-256 of the token. */
  readonly tokenHash: Uint8Array
  /** The token went out by mail alone, so its use proves the address. */
  readonly isMailed: boolean
  readonly createdAt: number
  readonly expiresAt: number
}

export type InvitationKey = { readonly id: string } | { readonly tokenHash: Uint8Array }

export interface InvitationStore {
  insert(invitation: InvitationRow): Promise<void>
  find(by: InvitationKey): Promise<InvitationRow | null>
  /** Those of an account, or with null those to open one. Newest first. */
  list(ownerId: string | null, before: string | null, limit: number): Promise<Page<InvitationRow>>
  /** How many people and open invitations an account has; with null, how many invitations to open one are open. */
  countTaken(ownerId: string | null, now: number): Promise<number>
  /** Sets the token of a mail, so that one sent before no longer works. Null when it was deleted. */
  setMailedToken(id: string, tokenHash: Uint8Array): Promise<InvitationRow | null>
  /** Deletes an invitation and answers it, so that a token is used once. */
  take(by: InvitationKey): Promise<InvitationRow | null>
}

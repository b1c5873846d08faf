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

export interface InvitationStore {
  insert(invitation: InvitationRow): Promise<void>
  find(id: string): Promise<InvitationRow | null>
  /** The invitation with this token, without using it. */
  findByToken(tokenHash: Uint8Array): Promise<InvitationRow | null>
  /** Those of an account, or with null those to open one. Newest first. */
  list(ownerId: string | null, before: string | null, limit: number): Promise<Page<InvitationRow>>
  /** How many of an account, or with null to open one, have not expired. */
  countOpen(ownerId: string | null, now: number): Promise<number>
  /** Sets the token of a mail, so that one sent before no longer works. Null when it was deleted. */
  setMailedToken(id: string, tokenHash: Uint8Array): Promise<InvitationRow | null>
  /** Deletes the invitation with this token and answers it, so that a token is used once. */
  take(tokenHash: Uint8Array): Promise<InvitationRow | null>
  /** False where it is no longer there. */
  delete(id: string): Promise<boolean>
}

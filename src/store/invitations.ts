import type { Role } from '../domain/permission.ts'
import type { ById, Listed, Rows } from './rows.ts'

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

export type InvitationKey = ById | Pick<InvitationRow, 'tokenHash'>

/** Invitations, listed by the account to join, or with null those to open one. One that is used is deleted. */
export interface InvitationStore
  extends Pick<Rows<InvitationRow, InvitationKey>, 'insert' | 'find' | 'update' | 'delete'>,
    Listed<InvitationRow, string | null> {
  /** How many people and open invitations an account has; with null, how many invitations to open one are open. */
  countTaken(ownerId: string | null, now: number): Promise<number>
}

import type { Role } from '../domain/permission.ts'
import type { ById, Counted, Listed, Rows } from './rows.ts'

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

/** The people and the invitations of an account that are open at this time; with null the invitations to open one. */
export interface TakenPlaces {
  readonly ownerId: string | null
  readonly at: number
}

/** Invitations, listed by the account to join, or with null those to open one. One that is used is deleted. */
export type InvitationStore = Pick<
  Rows<InvitationRow, InvitationKey>,
  'insert' | 'find' | 'update' | 'delete'
> &
  Counted<TakenPlaces> &
  Listed<InvitationRow, string | null>

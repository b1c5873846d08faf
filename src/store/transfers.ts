import type { Transfer } from '../domain/transfer.ts'
import type { ById, Listed, Rows } from './rows.ts'

/** Who may see an offer: an account, by its id and its e-mail. */
export interface TransferParty {
  readonly ownerId: string
  readonly email: string
}

export type TransferKey = ById & Partial<Pick<Transfer, 'status'>>

/**
 * Offers, listed for the account that made or was made them. Only one for an agent is pending; one whose time is
 * over makes room.
 */
export type TransferStore = Pick<Rows<Transfer, TransferKey>, 'insert' | 'find' | 'update'> &
  Listed<Transfer, TransferParty>

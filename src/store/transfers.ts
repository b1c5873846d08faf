import type { Transfer, TransferStatus } from '../domain/transfer.ts'
import type { FindOptions, Page } from './types.ts'

/** Who may see an offer: an account, by its id and its e-mail. */
export interface TransferParty {
  readonly ownerId: string
  readonly email: string
}

export interface TransferStore {
  /** False while the agent is on offer already. An offer whose time is over makes room. */
  insert(transfer: Transfer): Promise<boolean>
  find(id: string, options?: FindOptions): Promise<Transfer | null>
  /** Those that the account made or was made, newest first. */
  list(party: TransferParty, before: string | null, limit: number): Promise<Page<Transfer>>
  /** Ends an offer. One that was accepted names the new owner. */
  end(
    id: string,
    by: {
      readonly status: Exclude<TransferStatus, 'pending'>
      readonly at: number
      readonly toOwnerId?: string
    },
  ): Promise<Transfer>
}

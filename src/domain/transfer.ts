/** An agent that its owner offers to another owner. */

import { DAY_MS } from './time.ts'

export const TRANSFER_STATUSES = [
  'pending',
  'accepted',
  'declined',
  'withdrawn',
  'expired',
] as const

export type TransferStatus = (typeof TRANSFER_STATUSES)[number]

export interface Transfer {
  readonly id: string
  readonly agentId: string
  /** What it is called, for a recipient who cannot read the agent yet. */
  readonly agentName: string
  readonly fromOwnerId: string
  /** Null where the account has no name. */
  readonly fromOwnerName: string | null
  /** Null while an offer to an e-mail is not accepted. */
  readonly toOwnerId: string | null
  /** Null where it is offered to an owner by id, and once the offer has ended. */
  readonly toEmail: string | null
  /** One whose time is over is pending until `transferStatusAt` is asked. */
  readonly status: TransferStatus
  readonly createdAt: number
  readonly expiresAt: number
  readonly endedAt: number | null
}

/** Time to agree on a sale; a forgotten offer does not stay open. */
export const TRANSFER_MS = 7 * DAY_MS

/** It expires by the clock alone, without a background job. */
export function transferStatusAt(
  { status, expiresAt }: Pick<Transfer, 'status' | 'expiresAt'>,
  now: number,
): TransferStatus {
  return status === 'pending' && expiresAt <= now ? 'expired' : status
}

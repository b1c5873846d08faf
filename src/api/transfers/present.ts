import { type Transfer, transferStatusAt } from '../../domain/transfer.ts'
import { time, timeOrNull } from '../wire.ts'

export function presentTransfer(transfer: Transfer, now: number) {
  const { id, agentId, agentName, fromOwnerId, fromOwnerName } = transfer
  const { toOwnerId, toEmail: toOwnerEmail } = transfer
  return {
    id,
    agentId,
    agentName,
    fromOwnerId,
    fromOwnerName,
    toOwnerId,
    toOwnerEmail,
    status: transferStatusAt(transfer, now),
    createdAt: time(transfer.createdAt),
    expiresAt: time(transfer.expiresAt),
    endedAt: timeOrNull(transfer.endedAt),
  }
}

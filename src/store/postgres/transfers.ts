import type { Transfer } from '../../domain/transfer.ts'
import type { TransferKey, TransferParty, TransferStore } from '../transfers.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { computed, tableOf } from './table.ts'

/** With the names as they are now. */
const TRANSFERS = tableOf<Transfer>('transfers', {
  id: 'id',
  agentId: 'agent_id',
  agentName: computed('agent_name', '(select display_name from agents where agents.id = agent_id)'),
  fromOwnerId: 'from_owner_id',
  fromOwnerName: computed(
    'from_owner_name',
    '(select name from owners where owners.id = from_owner_id)',
  ),
  toOwnerId: 'to_owner_id',
  toEmail: 'to_email',
  status: 'status',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  endedAt: 'ended_at',
})

const rowsIn = rowStore<Transfer, TransferKey, TransferParty>(TRANSFERS, {
  expectsDuplicates: true,
  list: {
    of: '(from_owner_id = $1 or to_owner_id = $1 or to_email = $2)',
    values: ({ ownerId, email }) => [ownerId, email],
    order: 'id desc',
  },
})

export function transferStore(session: Session): TransferStore {
  const rows = rowsIn(session)
  return {
    ...rows,
    async insert(transfer) {
      await session.sql(
        `update transfers set status = 'expired', to_email = null, ended_at = expires_at
         where agent_id = $1 and status = 'pending' and expires_at <= $2`,
        [transfer.agentId, transfer.createdAt],
      )
      return rows.insert(transfer)
    },
  }
}

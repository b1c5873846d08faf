import type { Transfer } from '../../domain/transfer.ts'
import type { TransferStore } from '../transfers.ts'
import { expectRows, first, ID_MAX, locking, page } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  id: string
  agent_id: string
  agent_name: string
  from_owner_id: string
  from_owner_name: string | null
  to_owner_id: string | null
  to_email: string | null
  status: Transfer['status']
  created_at: number
  expires_at: number
  ended_at: number | null
}

const COLUMNS = `id, agent_id, from_owner_id, to_owner_id, to_email, status, created_at, expires_at,
  ended_at`

/** With the names as they are now. */
const NAMED = `${COLUMNS},
  (select display_name from agents where agents.id = agent_id) as agent_name,
  (select name from owners where owners.id = from_owner_id) as from_owner_name`

export function transferStore(sql: Sql): TransferStore {
  return {
    async insert(transfer) {
      const { id, agentId, fromOwnerId, toOwnerId, toEmail } = transfer
      const { status, createdAt, expiresAt, endedAt } = transfer
      await sql(
        `update transfers set status = 'expired', to_email = null, ended_at = expires_at
         where agent_id = $1 and status = 'pending' and expires_at <= $2`,
        [agentId, createdAt],
      )
      const written = await sql.written(
        `insert into transfers (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (agent_id) where status = 'pending' do nothing`,
        [id, agentId, fromOwnerId, toOwnerId, toEmail, status, createdAt, expiresAt, endedAt],
      )
      return written > 0
    },
    async find(id, options) {
      const text = `select ${NAMED} from transfers where id = $1 ${locking(options)}`
      const row = first(await sql<Row>(text, [id]))
      return row && toTransfer(row)
    },
    async list({ ownerId, email }, before, limit) {
      const rows = await sql<Row>(
        `select ${NAMED} from transfers
         where (from_owner_id = $1 or to_owner_id = $1 or to_email = $2)
           and id < coalesce($3::uuid, '${ID_MAX}')
         order by id desc limit $4`,
        [ownerId, email, before, limit + 1],
      )
      return page(rows.map(toTransfer), limit)
    },
    async end(id, { status, at, toOwnerId = null }) {
      const rows = await sql<Row>(
        `update transfers set status = $2, ended_at = $3, to_email = null,
           to_owner_id = coalesce($4, to_owner_id)
         where id = $1 and status = 'pending' returning ${NAMED}`,
        [id, status, at, toOwnerId],
      )
      const [row] = rows
      expectRows('transfer', rows.length, 1)
      return toTransfer(row as Row)
    },
  }
}

function toTransfer(row: Row): Transfer {
  return {
    id: row.id,
    agentId: row.agent_id,
    agentName: row.agent_name,
    fromOwnerId: row.from_owner_id,
    fromOwnerName: row.from_owner_name,
    toOwnerId: row.to_owner_id,
    toEmail: row.to_email,
    status: row.status,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
  }
}

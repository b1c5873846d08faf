import { uuidv7 } from 'uuidv7'
import type { Notice } from '../../core/notices.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'

/** Writes what there is to tell; where nobody asked to be told, nothing. */
export async function insertNotices(sql: Sql, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return
  await sql(
    `insert into notices (id, owner_id, agent_id, type, data, created_at)
     select * from unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::json[], $6::bigint[])
       as t(id, owner_id, agent_id, type, data, created_at)
     where exists (select from webhooks w where w.owner_id = t.owner_id)`,
    columns(
      notices,
      () => `evt_${uuidv7().replaceAll('-', '')}`,
      (n) => n.ownerId,
      (n) => n.agentId,
      (n) => n.type,
      (n) => JSON.stringify(n.data),
      (n) => n.createdAt,
    ),
  )
}

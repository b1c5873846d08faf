import type { NotificationFilter } from '../../domain/notification.ts'
import type { ListenerRow, ListenerStore } from '../listeners.ts'
import { first } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  id: string
  owner_id: string
  events: NotificationFilter[]
  agent_ids: string[] | null
  created_at: number
  expires_at: number
}

export function listenerStore(sql: Sql): ListenerStore {
  return {
    async find(id) {
      const row = first(
        await sql<Row>(
          `select id, owner_id, events, agent_ids, created_at, expires_at from listeners
           where id = $1`,
          [id],
        ),
      )
      return row && toListener(row)
    },
    async save({ id, ownerId, events, agentIds, createdAt, expiresAt }, max) {
      await sql(
        `delete from listeners where id in (
           select id from listeners where owner_id = $1 and id <> $2
           order by created_at desc offset $3)`,
        [ownerId, id, max - 1],
      )
      await sql(
        `insert into listeners
           (id, owner_id, events, agent_ids, created_at, expires_at, transaction_id)
         values ($1, $2, $3, $4, $5, $6, pg_snapshot_xmin(pg_current_snapshot()))
         on conflict (id) do update set expires_at = excluded.expires_at`,
        [id, ownerId, events, agentIds, createdAt, expiresAt],
      )
    },
  }
}

function toListener(row: Row): ListenerRow {
  return {
    id: row.id,
    ownerId: row.owner_id,
    events: row.events,
    agentIds: row.agent_ids,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

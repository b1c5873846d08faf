import type { NotificationFilter } from '../../domain/notification.ts'
import type { ListenerRow, ListenerStore, NotificationRow } from '../store.ts'
import { expectRows, first } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  id: string
  owner_id: string
  events: NotificationFilter[]
  agent_ids: string[] | null
  created_at: number
  expires_at: number
}

interface NoticeColumns {
  id: string
  type: string
  data: Record<string, unknown>
  created_at: number
  seq: number
  transaction: number
}

/** A notice commits this long after it was written at the latest: statements end sooner. */
const COMMIT_MS = 60_000

export function listenerStore(sql: Sql): ListenerStore {
  return {
    async insert({ id, ownerId, events, agentIds, createdAt, expiresAt }, max) {
      await sql(
        `delete from listeners where id in (
           select id from listeners where owner_id = $1 order by created_at desc offset $2)`,
        [ownerId, max - 1],
      )
      await sql(
        `insert into listeners (id, owner_id, events, agent_ids, created_at, expires_at, transaction)
         values ($1, $2, $3, $4, $5, $6, pg_snapshot_xmin(pg_current_snapshot()))`,
        [id, ownerId, events, agentIds, createdAt, expiresAt],
      )
    },
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
    async extend(id, expiresAt) {
      const rows = await sql('update listeners set expires_at = $2 where id = $1 returning id', [
        id,
        expiresAt,
      ])
      expectRows('listener', rows.length, 1)
    },
    async notifications(listener, after, limit) {
      const { id, ownerId, events, agentIds, createdAt } = listener
      const [transaction, seq, at] = after ?? [0, 0, createdAt]
      // Behind the oldest transaction that still runs anything may come; before it nothing will.
      const rows = await sql<NoticeColumns>(
        `select n.id, n.type, n.data, n.created_at, n.seq, n.transaction::text::bigint as transaction
         from notifications n, listeners l
         where l.id = $1 and n.owner_id = $2 and n.created_at >= $3
           and n.transaction >= l.transaction
           and n.transaction < pg_snapshot_xmin(pg_current_snapshot())
           and (n.transaction, n.seq) > ($4::text::xid8, $5::bigint)
           and (n.type = any($6) or '*' = any($6)) and ($7::uuid[] is null or n.agent_id = any($7))
         order by n.transaction, n.seq limit $8`,
        [id, ownerId, at - COMMIT_MS, String(transaction), seq, events, agentIds, limit],
      )
      return rows.map(toNotice)
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

function toNotice(row: NoticeColumns): NotificationRow {
  return {
    id: row.id,
    type: row.type,
    data: row.data,
    createdAt: row.created_at,
    position: [row.transaction, row.seq, row.created_at],
  }
}

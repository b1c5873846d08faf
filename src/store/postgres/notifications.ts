import { type Notification, notificationId, publicDataOf } from '../../domain/notification.ts'
import type { NotificationPosition, NotificationRow, NotificationStore } from '../notifications.ts'
import { DATABASE_NOW } from './database-clock.ts'
import { CHANNELS } from './listen.ts'
import { columns } from './rows.ts'
import type { Session } from './session.ts'
import { isServed } from './subscribers.ts'

/** Wakes the dispatcher of every node once the transaction has committed. */
export const WAKE = `select pg_notify('${CHANNELS.deliveries}', '')`

/** A transaction commits this long after it wrote a notification at the latest: statements end sooner. */
const COMMIT_MS = 60_000

interface Row {
  id: string
  type: string
  data: Record<string, unknown>
  created_at: number
  /** When it was written, or now if that is in the future. */
  passed_at: number
  seq: number
  transaction_id: number
  /** Null for no. */
  is_wanted: boolean | null
}

export function notificationStore(session: Session): NotificationStore {
  return {
    insertAll: (notifications) => insertNotifications(session, notifications),
    async listFor({ id, ownerId, events, agentIds, createdAt }, after, limit) {
      const [transaction, seq, at] = after ?? [0, 0, createdAt]
      // Only what is older than every transaction that still runs: nothing can be committed before it. The last
      // one is read in any case, so that the next read begins behind it.
      const read = await session.sql<Row>(
        `select id, type, data, created_at, least(created_at, ${DATABASE_NOW}) as passed_at, seq, transaction_id::text::bigint as transaction_id, is_wanted
         from (
           select n.*, lead(n.seq) over (order by n.transaction_id, n.seq) is null as is_last,
             (n.type = any($6) or '*' = any($6)) and ($7::uuid[] is null or n.agent_id = any($7)) as is_wanted
           from notifications n, listeners l
           where l.id = $1 and n.owner_id = $2 and n.created_at >= $3
             and n.transaction_id >= l.transaction_id
             and n.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
             and (n.transaction_id, n.seq) > ($4::text::xid8, $5::bigint)) as scanned
         where is_wanted or is_last
         order by scanned.transaction_id, seq limit $8`,
        [id, ownerId, at - COMMIT_MS, String(transaction), seq, events, agentIds, limit],
      )
      const last = read.at(-1)
      return {
        rows: read.filter(({ is_wanted }) => is_wanted === true).map(toNotification),
        position: last ? positionOf(last) : after,
      }
    },
  }
}

/**
 * Writes notifications and a delivery for each subscription to them, in one statement; without a
 * subscription it writes nothing. Each account that watches the agent gets a notification of its own,
 * with what is public. For a suspended account nothing is written. A queue head that exists is only
 * locked: the transaction that empties it then sees the delivery behind it. Only a new head wakes the
 * dispatchers, because commits that notify wait for each other.
 */
export async function insertNotifications(
  { sql, newId }: Session,
  notifications: readonly Notification[],
): Promise<void> {
  if (notifications.length === 0) {
    return
  }
  await sql(
    `with own as materialized (
       select * from unnest(
         $1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::json[], $6::bigint[], $7::json[])
         with ordinality as t(id, owner_id, agent_id, type, data, created_at, public_data, position)
     ), given as materialized (
       select id, owner_id, agent_id, type, data, created_at, position from own
       union all
       select 'evt_' || replace(gen_random_uuid()::text, '-', ''), h.holder_id, own.agent_id, own.type,
         own.public_data, own.created_at, own.position
       from own join watches h on h.agent_id = own.agent_id and h.holder_id <> own.owner_id
       where own.public_data is not null
     ), subscribed as materialized (
       select given.id, w.id as webhook_id, w.status
       from given join webhooks w on w.owner_id = given.owner_id
       where w.deleted_at is null and w.events && array[given.type, '*']
         and (w.agent_ids is null or given.agent_id = any(w.agent_ids))
         and ${isServed('given.owner_id')}
     ), followed as materialized (
       select given.id from given join listeners l on l.owner_id = given.owner_id
       where l.expires_at > given.created_at and l.events && array[given.type, '*']
         and (l.agent_ids is null or given.agent_id = any(l.agent_ids))
         and ${isServed('given.owner_id')}
     ), written as (
       insert into notifications (id, owner_id, agent_id, type, data, created_at)
       select id, owner_id, agent_id, type, data, created_at from given
       where id in (select id from subscribed union all select id from followed)
       order by position
       returning seq, id, agent_id, created_at
     ), queued as (
       insert into deliveries
         (webhook_id, notification_seq, ordering_key, next_attempt_at, created_at)
       select webhook_id, seq, agent_id, created_at, created_at from written join subscribed using (id)
       where status <> 'disabled'
       returning webhook_id, ordering_key, created_at
     ), opened as (
       insert into delivery_queue_heads as head (webhook_id, ordering_key, due_at)
       select webhook_id, ordering_key, least(min(created_at), ${DATABASE_NOW})
       from queued group by 1, 2 order by 1, 2
       on conflict (webhook_id, ordering_key)
         do update set due_at = excluded.due_at where head.in_flight < 0
       returning 1
     )
     ${WAKE} where exists (select from opened) or exists (select from followed)`,
    columns(
      notifications,
      () => notificationId(newId()),
      (n) => n.ownerId,
      (n) => n.agentId,
      (n) => n.type,
      (n) => JSON.stringify(n.data),
      (n) => n.createdAt,
      (n) => {
        const data = publicDataOf(n)
        return data && JSON.stringify(data)
      },
    ),
  )
}

function toNotification(row: Row): NotificationRow {
  return {
    id: row.id,
    type: row.type,
    data: row.data,
    createdAt: row.created_at,
    position: positionOf(row),
  }
}

/** Not after the clock of the database: a node that is ahead of it must not hide what others write later. */
function positionOf({ transaction_id, seq, passed_at }: Row): NotificationPosition {
  return [transaction_id, seq, passed_at]
}

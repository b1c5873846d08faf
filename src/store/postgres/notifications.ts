import { uuidv7 } from 'uuidv7'
import type { Notification } from '../../domain/notification.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'

/** What nodes that deliver listen to. */
export const DELIVERIES_CHANNEL = 'standing_deliveries'

/** Every node looks for something to send, once this transaction has committed. */
export const WAKE = `select pg_notify('${DELIVERIES_CHANNEL}', '')`

/**
 * Writes what there is to tell, and queues it for each subscription that asks for it, in one
 * statement; where nobody asked, it writes nothing. A lane that is there already is only locked:
 * whoever empties it then sees what was put behind it. Only a new lane wakes anyone, because to
 * notify makes commits wait for each other.
 */
export async function insertNotifications(
  sql: Sql,
  notifications: readonly Notification[],
): Promise<void> {
  if (notifications.length === 0) {
    return
  }
  await sql(
    `with told as materialized (
       select * from unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::json[], $6::bigint[])
         with ordinality as t(id, owner_id, agent_id, type, data, created_at, place)
     ), asked as materialized (
       select told.id, w.id as webhook_id, w.status
       from told join webhooks w on w.owner_id = told.owner_id
       where w.deleted_at is null and w.events && array[told.type, '*']
         and (w.agent_ids is null or told.agent_id = any(w.agent_ids))
     ), followed as materialized (
       select told.id from told join listeners l on l.owner_id = told.owner_id
       where l.expires_at > told.created_at and l.events && array[told.type, '*']
         and (l.agent_ids is null or told.agent_id = any(l.agent_ids))
     ), written as (
       insert into notifications (id, owner_id, agent_id, type, data, created_at)
       select id, owner_id, agent_id, type, data, created_at from told
       where id in (select id from asked union all select id from followed)
       order by place
       returning seq, id, agent_id, created_at
     ), queued as (
       insert into deliveries (webhook_id, notification_seq, lane, next_at, created_at)
       select webhook_id, seq, agent_id, created_at, created_at from written join asked using (id)
       where status <> 'disabled'
       returning webhook_id, lane, created_at
     ), opened as (
       insert into lanes (webhook_id, lane, due_at)
       select webhook_id, lane, min(created_at) from queued group by 1, 2 order by 1, 2
       on conflict (webhook_id, lane) do update set due_at = excluded.due_at where lanes.held < 0
       returning 1
     )
     ${WAKE} where exists (select from opened) or exists (select from followed)`,
    columns(
      notifications,
      newNotificationId,
      (n) => n.ownerId,
      (n) => n.agentId,
      (n) => n.type,
      (n) => JSON.stringify(n.data),
      (n) => n.createdAt,
    ),
  )
}

export function newNotificationId(): string {
  return `evt_${uuidv7().replaceAll('-', '')}`
}

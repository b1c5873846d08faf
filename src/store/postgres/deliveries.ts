import type { DeliveryRow, DeliveryStore } from '../deliveries.ts'
import { DATABASE_NOW } from './database-clock.ts'
import { WAKE } from './notifications.ts'
import { countOf, expectRows, first, NUMBER_MAX, page, SCANNED_MAX } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { computed, readerOf, tableOf } from './table.ts'

/** A delivery `d` and its notification `n`. */
const DELIVERIES = tableOf<DeliveryRow>('deliveries', {
  id: computed('id', 'n.id'),
  number: computed('number', 'n.seq'),
  webhookId: 'webhook_id',
  type: computed('type', 'n.type'),
  agentId: computed('agent_id', 'n.agent_id'),
  data: computed('data', 'n.data'),
  status: 'status',
  nextAttemptAt: computed(
    'next_attempt_at',
    `case when d.status = 'pending' then d.next_attempt_at end`,
  ),
  attempts: 'attempts',
  log: 'log',
  createdAt: computed('created_at', 'n.created_at'),
  finishedAt: 'finished_at',
})

const SELECT = `select ${DELIVERIES.columnsOf('d')}
  from deliveries d join notifications n on n.seq = d.notification_seq`

/** The last delivery that a page passes; null where it passes all. */
async function endOf(sql: Sql, webhookId: string, before: number): Promise<number | null> {
  const row = first(
    await sql<{ notification_seq: number }>(
      `select notification_seq from deliveries where webhook_id = $1 and notification_seq < $2
       order by notification_seq desc offset $3 limit 1`,
      [webhookId, before, SCANNED_MAX - 1],
    ),
  )
  return row?.notification_seq ?? null
}

/**
 * Opens a queue head for the deliveries in `queued`; one that exists and is not claimed falls due then. A node
 * whose clock runs ahead puts nothing off.
 */
const openHeads = (dueAt: string) => `
  insert into delivery_queue_heads as head (webhook_id, ordering_key, due_at)
  select distinct webhook_id, ordering_key, least(${dueAt}, ${DATABASE_NOW}) from queued order by 1, 2
  on conflict (webhook_id, ordering_key)
    do update set due_at = excluded.due_at where head.claim is null`

/** Earlier than any due time: a delivery that its owner requested comes first. */
const FIRST = '0::bigint'

/** Makes it the probe of a paused subscription, now. */
const PROBE_NOW = `update webhooks set not_before = $2
  where id = $1 and status = 'paused' and not_before > $2`

export function deliveryStore({ sql, lists }: Session): DeliveryStore {
  return {
    async list({ webhookId, status }, before, limit) {
      const start = before ?? NUMBER_MAX
      const end = status === undefined ? null : await endOf(lists, webhookId, start)
      const rows = await readerOf(lists, DELIVERIES).all(
        `${SELECT} where d.webhook_id = $1 and d.notification_seq < $2 and d.notification_seq >= $5
           and ($3::text is null or d.status = $3)
         order by d.notification_seq desc limit $4`,
        [webhookId, start, status ?? null, limit + 1, end ?? 0],
      )
      const found = page(rows, limit)
      return found.more || end === null ? found : { ...found, more: true, end: [end] }
    },
    find: ({ webhookId, id }) =>
      readerOf(sql, DELIVERIES).one(`${SELECT} where d.webhook_id = $1 and n.id = $2`, [
        webhookId,
        id,
      ]),
    async insert({ webhookId, id, ownerId, type, data, createdAt }) {
      await sql(PROBE_NOW, [webhookId, createdAt])
      const rows = await sql(
        `with written as (
           insert into notifications (id, owner_id, type, data, created_at)
           values ($3, $4, $5, $6, $2) returning seq
         ), queued as (
           insert into deliveries
             (webhook_id, notification_seq, ordering_key, next_attempt_at, created_at, is_requested)
           select $1, seq, gen_random_uuid(), $2, $2, true from written
           returning webhook_id, ordering_key
         ) ${openHeads(FIRST)} returning 1 as one`,
        [webhookId, createdAt, id, ownerId, type, JSON.stringify(data)],
      )
      expectRows('queue head', rows.length, 1)
      await sql(WAKE)
      return true
    },
    async redeliver(webhookId, number, now) {
      await sql(PROBE_NOW, [webhookId, now])
      await requestHead(sql, webhookId, number)
      await queueAgain(sql, webhookId, number, now)
      await sql(WAKE)
    },
    async retryNow(webhookId, now) {
      await sql(
        `update delivery_queue_heads set due_at = least($2, ${DATABASE_NOW})
         where webhook_id = $1 and due_at > $2 and claim is null`,
        [webhookId, now],
      )
      await sql(WAKE)
    },
    async resend({ id, ownerId, events, agentIds }, since, now, limit) {
      const count = await countOf(
        sql,
        `with missed as (
           select n.seq, n.agent_id from notifications n
             left join deliveries d on d.webhook_id = $1 and d.notification_seq = n.seq
           where n.owner_id = $3 and n.created_at >= $4 and (n.type = any($5) or '*' = any($5))
             and ($6::uuid[] is null or n.agent_id = any($6)) and n.agent_id is not null
             and (d.status is null or d.status = 'failed')
           order by n.created_at, n.seq limit $7
         ), queued as (
           insert into deliveries
             (webhook_id, notification_seq, ordering_key, next_attempt_at, created_at)
           select $1, seq, agent_id, $2, $2 from missed
           on conflict (webhook_id, notification_seq) do update set status = 'pending',
             scheduled_attempts = 0, ordering_key = excluded.ordering_key,
             next_attempt_at = excluded.next_attempt_at, finished_at = null
             where deliveries.status = 'failed'
           returning webhook_id, ordering_key
         ), opened as (${openHeads('$2::bigint')})
         select count(*)::int as count from queued`,
        [id, now, ownerId, since, events, agentIds, limit],
      )
      await sql(WAKE)
      return count
    },
  }
}

/** One that waits behind others of its agent is not sent before them: the first of them is attempted. */
async function requestHead(sql: Sql, webhookId: string, number: number): Promise<void> {
  // Before the delivery, as where attempts are recorded.
  await sql(
    `select from delivery_queue_heads where webhook_id = $1 and ordering_key = (
       select ordering_key from deliveries
       where webhook_id = $1 and notification_seq = $2 and status = 'pending')
     for update`,
    [webhookId, number],
  )
  await sql(
    `with queued as (
       update deliveries d set is_requested = true from (
         select head.notification_seq from deliveries own cross join lateral (
           select notification_seq from deliveries
           where webhook_id = $1 and ordering_key = own.ordering_key and status = 'pending'
           order by notification_seq limit 1) head
         where own.webhook_id = $1 and own.notification_seq = $2 and own.status = 'pending') first
       where d.webhook_id = $1 and d.notification_seq = first.notification_seq
       returning d.webhook_id, d.ordering_key
     ) ${openHeads(FIRST)}`,
    [webhookId, number],
  )
}

async function queueAgain(sql: Sql, webhookId: string, number: number, now: number): Promise<void> {
  await sql(
    `with queued as (
       update deliveries set status = 'pending', next_attempt_at = $2, scheduled_attempts = 0,
         finished_at = null, ordering_key = gen_random_uuid(), is_requested = true
       where webhook_id = $1 and notification_seq = $3 and status <> 'pending'
       returning webhook_id, ordering_key
     ) ${openHeads(FIRST)}`,
    [webhookId, now, number],
  )
}

import { type DatabaseClock, DATABASE_NOW as NOW } from './database-clock.ts'
import { WAKE } from './notifications.ts'
import { countOf } from './rows.ts'
import type { Sql } from './sql.ts'

/** Rows deleted by one statement: some milliseconds of work. */
const PRUNED_MAX = 1_000

/** After this no transaction that began before a subscription was deleted still writes for it. */
const DELETED_GRACE_MS = 60_000

/** In a transaction: what a dead node had claimed is freed with its row. */
export async function heartbeat(
  sql: Sql,
  nodeId: string,
  aliveMs: number,
  clock: DatabaseClock,
): Promise<boolean> {
  const before = performance.now()
  const rows = await sql<{ now: number }>(
    `insert into delivery_nodes (id, alive_until) values ($1, ${NOW} + $2)
     on conflict (id) do update set alive_until = excluded.alive_until
     returning ${NOW} as now`,
    [nodeId, aliveMs],
  )
  if (rows[0]) {
    clock.wasRead(rows[0].now, before, performance.now())
  }
  const dead = await sql<{ id: string }>(
    `delete from delivery_nodes where id in (
       select id from delivery_nodes where alive_until < ${NOW} for update skip locked)
     returning id`,
  )
  if (dead.length === 0) {
    return false
  }
  await sql(
    `update delivery_queue_heads set due_at = 0, claim = null, node_id = null, in_flight = 0
     where node_id = any($1::uuid[])`,
    [dead.map(({ id }) => id)],
  )
  return true
}

export async function deregister(sql: Sql, nodeId: string): Promise<void> {
  await sql('delete from delivery_nodes where id = $1', [nodeId])
  // The other nodes claim what this one returned.
  await sql(WAKE)
}

export async function prune(sql: Sql, before: number): Promise<boolean> {
  const counts = [await pruneNotifications(sql, before), await pruneDeletedWebhooks(sql)]
  await sql(`delete from listeners where expires_at < ${NOW}`)
  return counts.includes(PRUNED_MAX)
}

async function pruneNotifications(sql: Sql, before: number): Promise<number> {
  return countOf(
    sql,
    `with oldest as (
       select seq, owner_id, created_at from notifications order by seq limit $2
     ), old as (
       select seq, owner_id from oldest where created_at < $1
     ), deliveries_deleted as (
       delete from deliveries d using old, webhooks w
       where w.owner_id = old.owner_id and d.webhook_id = w.id and d.notification_seq = old.seq
     ), deleted as (
       delete from notifications where seq in (select seq from old) returning 1
     )
     select count(*)::int as count from deleted`,
    [before, PRUNED_MAX],
  )
}

async function pruneDeletedWebhooks(sql: Sql): Promise<number> {
  const count = await countOf(
    sql,
    `with part as (
       select d.webhook_id, d.notification_seq from webhooks w
         join deliveries d on d.webhook_id = w.id
       where w.deleted_at is not null limit $1
     ), deleted as (
       delete from deliveries d using part
       where d.webhook_id = part.webhook_id and d.notification_seq = part.notification_seq returning 1
     ), heads_deleted as (
       delete from delivery_queue_heads head using webhooks w
       where w.deleted_at is not null and head.webhook_id = w.id
     )
     select count(*)::int as count from deleted`,
    [PRUNED_MAX],
  )
  await sql(
    `delete from webhooks w where deleted_at < ${NOW} - $1
       and not exists (select from deliveries d where d.webhook_id = w.id)`,
    [DELETED_GRACE_MS],
  )
  return count
}

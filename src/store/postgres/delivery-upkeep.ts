import type pg from 'pg'
import { NODE_ALIVE_MS, type Upkeep } from '../../delivery/delivery-store.ts'
import { WAKE } from './notifications.ts'
import { sqlOn } from './sql.ts'
import { inTransaction } from './store.ts'

/** Rows cleared away in one transaction: some milliseconds of work. */
const PRUNED_MAX = 1_000

/** After this nothing that began before a subscription was deleted still writes for it. */
const DELETED_GRACE_MS = 60_000

/** The database's clock, one for all nodes. */
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

export function createUpkeep(pool: pg.Pool, nodeId: string): Upkeep {
  const sql = sqlOn(pool)
  return {
    beat: () =>
      inTransaction(pool, async (within) => {
        await within(
          `insert into delivery_nodes (id, alive_until) values ($1, ${NOW} + $2)
           on conflict (id) do update set alive_until = excluded.alive_until`,
          [nodeId, NODE_ALIVE_MS],
        )
        const dead = await within<{ id: string }>(
          `delete from delivery_nodes where id in (
             select id from delivery_nodes where alive_until < ${NOW} for update skip locked)
           returning id`,
        )
        if (dead.length === 0) {
          return false
        }
        await within(
          `update lanes set due_at = 0, claim = null, node = null, held = 0
           where node = any($1::uuid[])`,
          [dead.map(({ id }) => id)],
        )
        return true
      }),
    async leave() {
      await sql('delete from delivery_nodes where id = $1', [nodeId])
      // What this node gave back is for the others.
      await sql(WAKE)
    },
    async prune(before) {
      const old = await sql<{ count: number }>(
        `with oldest as (
           select seq, owner_id, created_at from notifications order by seq limit $2
         ), old as (
           select seq, owner_id from oldest where created_at < $1
         ), cleared as (
           delete from deliveries d using old, webhooks w
           where w.owner_id = old.owner_id and d.webhook_id = w.id and d.notification_seq = old.seq
         ), gone as (
           delete from notifications where seq in (select seq from old) returning 1
         )
         select count(*)::int as count from gone`,
        [before, PRUNED_MAX],
      )
      const deleted = await sql<{ count: number }>(
        `with part as (
           select d.webhook_id, d.notification_seq from webhooks w join deliveries d on d.webhook_id = w.id
           where w.deleted_at is not null limit $1
         ), cleared as (
           delete from deliveries d using part
           where d.webhook_id = part.webhook_id and d.notification_seq = part.notification_seq returning 1
         ), lanes_cleared as (
           delete from lanes l using webhooks w
           where w.deleted_at is not null and l.webhook_id = w.id
         )
         select count(*)::int as count from cleared`,
        [PRUNED_MAX],
      )
      await sql(
        `delete from webhooks w where deleted_at < ${NOW} - $1
           and not exists (select from deliveries d where d.webhook_id = w.id)`,
        [DELETED_GRACE_MS],
      )
      await sql(`delete from listeners where expires_at < ${NOW}`)
      return [...old, ...deleted].some(({ count }) => count === PRUNED_MAX)
    },
  }
}

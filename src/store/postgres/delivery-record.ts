import type { DeliveryJob } from '../delivery-job.ts'
import type {
  AttemptWrite,
  HealthById,
  RecordBatch,
  RecordDecision,
  Recorded,
} from '../delivery-queue.ts'
import { DATABASE_NOW } from './database-clock.ts'
import { QUEUE_SETTINGS } from './delivery-claim.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'
import type { Answer } from './table.ts'
import { HEALTH } from './webhooks.ts'

/** Attempts of one delivery in its log: three rounds of the retry schedule. `attempts` counts on. */
const LOG_MAX = 30

/** Records attempts and frees queue heads. Locks subscriptions before heads, each in their order. */
export async function record<D extends RecordDecision<DeliveryJob>>(
  sql: Sql,
  { attempted, returned }: RecordBatch<DeliveryJob>,
  decide: (health: HealthById) => D,
): Promise<Recorded<D>> {
  await sql(QUEUE_SETTINGS)
  const ids = [...new Set(attempted.map(({ subscriptionId }) => subscriptionId))]
  const decision = await decideOnHealth(sql, ids, decide)
  await saveHealth(sql, decision.health)
  const isOurs = await lockHeads(sql, [...attempted, ...returned])
  // A job whose claim has ended belongs to another node: its attempt here is not recorded.
  const attempts = decision.attempts.filter(({ job }) => isOurs(job))
  await writeAttempts(sql, attempts)
  const released = [...attempts.map(({ job }) => job), ...returned.filter(isOurs)]
  return { decision, more: await release(sql, released) }
}

/**
 * Most attempts succeed and change no health. So subscriptions are read without a lock, locked where
 * their health changes, and then decided on again.
 */
async function decideOnHealth<D extends RecordDecision<DeliveryJob>>(
  sql: Sql,
  ids: readonly string[],
  decide: (health: HealthById) => D,
): Promise<D> {
  const read = await readHealth(sql, ids)
  const decision = decide(read)
  const changed = [...decision.health.keys()]
  if (changed.length === 0) {
    return decision
  }
  const locked = await readHealth(sql, changed, 'order by id for no key update')
  const unchanged = [...read].filter(([id]) => !decision.health.has(id))
  return decide(new Map([...unchanged, ...locked]))
}

async function readHealth(sql: Sql, ids: readonly string[], locking = ''): Promise<HealthById> {
  if (ids.length === 0) {
    return new Map()
  }
  const rows = await sql<Answer & { id: string }>(
    `select id, ${HEALTH.columns} from webhooks
     where id = any($1::uuid[]) and deleted_at is null ${locking}`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, HEALTH.read(row)]))
}

async function saveHealth(sql: Sql, health: HealthById): Promise<void> {
  if (health.size === 0) {
    return
  }
  await sql(
    `update webhooks w set status = t.status, consecutive_failures = t.failures,
       not_before = t.not_before, changed_at = t.changed_at, reason = t.reason
     from unnest($1::uuid[], $2::text[], $3::int[], $4::bigint[], $5::bigint[], $6::text[])
       as t(id, status, failures, not_before, changed_at, reason)
     where w.id = t.id`,
    columns(
      [...health],
      ([id]) => id,
      ([, one]) => one.status,
      ([, one]) => one.consecutiveFailures,
      ([, one]) => one.notBefore,
      ([, one]) => one.changedAt,
      ([, one]) => one.reason,
    ),
  )
}

async function lockHeads(
  sql: Sql,
  jobs: readonly DeliveryJob[],
): Promise<(job: DeliveryJob) => boolean> {
  const rows = await sql<{ webhook_id: string; ordering_key: string; claim: number | null }>(
    `select webhook_id, ordering_key, claim from delivery_queue_heads
     where (webhook_id, ordering_key) in (select * from unnest($1::uuid[], $2::uuid[]))
     order by webhook_id, ordering_key for update`,
    columns(
      jobs,
      (job) => job.subscriptionId,
      (job) => job.orderingKey,
    ),
  )
  const claims = new Map(rows.map((row) => [`${row.webhook_id}/${row.ordering_key}`, row.claim]))
  return (job) => claims.get(`${job.subscriptionId}/${job.orderingKey}`) === job.claim
}

/** Once: a row that counts the attempt already was written by a commit whose outcome was unknown. */
async function writeAttempts(
  sql: Sql,
  attempts: readonly AttemptWrite<DeliveryJob>[],
): Promise<void> {
  if (attempts.length === 0) {
    return
  }
  await sql(
    `update deliveries d set status = t.status, next_attempt_at = t.next_attempt_at,
       scheduled_attempts = t.scheduled_attempts, is_requested = false, attempts = t.attempts + 1,
       finished_at = case when t.status <> 'pending' then t.at end,
       log = (d.log || t.entry)[greatest(1, cardinality(d.log) + 2 - ${LOG_MAX}):]
     from unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::int[], $6::int[],
       $7::bigint[], $8::json[], $9::uuid[])
       as t(webhook_id, notification_seq, status, next_attempt_at, scheduled_attempts, attempts, at,
         entry, ordering_key)
     where d.webhook_id = t.webhook_id and d.notification_seq = t.notification_seq
       and d.ordering_key = t.ordering_key and d.status = 'pending' and d.attempts = t.attempts`,
    columns(
      attempts,
      ({ job }) => job.subscriptionId,
      ({ job }) => job.number,
      ({ status }) => status,
      ({ nextAttemptAt }) => nextAttemptAt,
      ({ scheduledAttempts }) => scheduledAttempts,
      ({ job }) => job.attempts,
      ({ endedAt }) => endedAt,
      ({ record: entry }) => JSON.stringify(entry),
      ({ job }) => job.orderingKey,
    ),
  )
}

/**
 * Takes the jobs off what their heads have in flight. After the last of them a head is free for the
 * next claim, behind those that have waited longer; one with nothing left is deleted. A statement of
 * its own after the lock: it sees everything that was queued behind the head before.
 */
async function release(sql: Sql, jobs: readonly DeliveryJob[]): Promise<boolean> {
  if (jobs.length === 0) {
    return false
  }
  const rows = await sql<{ more: boolean | null }>(
    `with ended as (
       select webhook_id, ordering_key, count(*)::int as count
       from unnest($1::uuid[], $2::uuid[]) as t(webhook_id, ordering_key) group by 1, 2
     ), remaining as materialized (
       select e.webhook_id, e.ordering_key, head.in_flight - e.count as in_flight,
         next.next_attempt_at
       from ended e join delivery_queue_heads head using (webhook_id, ordering_key)
       left join lateral (
         select case when d.attempts = 0 then least(d.next_attempt_at, ${DATABASE_NOW})
           else d.next_attempt_at end as next_attempt_at
         from deliveries d
         where d.webhook_id = e.webhook_id and d.ordering_key = e.ordering_key
           and d.status = 'pending'
         order by notification_seq limit 1) next on true
     ), deleted as (
       delete from delivery_queue_heads head using remaining r
       where r.in_flight <= 0 and r.next_attempt_at is null
         and head.webhook_id = r.webhook_id and head.ordering_key = r.ordering_key
     ), updated as (
       update delivery_queue_heads head set in_flight = greatest(r.in_flight, 0),
         due_at = case when r.in_flight > 0 then head.due_at else r.next_attempt_at end,
         claim = case when r.in_flight > 0 then head.claim end,
         node_id = case when r.in_flight > 0 then head.node_id end
       from remaining r where (r.in_flight > 0 or r.next_attempt_at is not null)
         and head.webhook_id = r.webhook_id and head.ordering_key = r.ordering_key
     )
     select bool_or(in_flight <= 0 and next_attempt_at is not null) as more from remaining`,
    columns(
      jobs,
      (job) => job.subscriptionId,
      (job) => job.orderingKey,
    ),
  )
  return rows[0]?.more ?? false
}

import type { DeliveryJob } from '../../delivery/delivery-job.ts'
import type { Done, Recorded } from '../../delivery/delivery-store.ts'
import { afterAttempt, type Health, nextAttemptAt, sendable } from '../../delivery/schedule.ts'
import type { AttemptRecord, DeliveryStatus } from '../store.ts'
import { QUEUE_SETTINGS } from './delivery-claim.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'
import { type HealthColumns, toHealth } from './webhooks.ts'

/** Of one delivery: three rounds of the schedule. The count of attempts goes on. */
const LOG_MAX = 30

/**
 * Writes attempts down and lets go of lanes. Locks subscriptions before lanes, each in order, as
 * everyone who waits for these locks does.
 */
export async function record(
  sql: Sql,
  done: readonly Done<DeliveryJob>[],
  back: readonly DeliveryJob[],
): Promise<Recorded> {
  await sql(QUEUE_SETTINGS)
  const closed = await recordHealth(sql, done)
  const isOurs = await lockLanes(sql, [...done.map(({ job }) => job), ...back])
  // Past the end of its claim a job is another's: what became of it here says nothing.
  const ours = done.filter(({ job }) => isOurs(job))
  await writeAttempts(sql, ours)
  const more = await release(sql, [...ours.map(({ job }) => job), ...back.filter(isOurs)])
  return { closed, more }
}

/** Most attempts arrive at a receiver that fares well, and change nothing about it. */
async function recordHealth(
  sql: Sql,
  done: readonly Done<DeliveryJob>[],
): Promise<readonly string[]> {
  const ids = [...new Set(done.map(({ job }) => job.subscriptionId))]
  const seen = await healthOf(sql, 'select', ids)
  const moved = ids.filter((id) => isMoved(seen.get(id), attemptsOn(id, done)))
  const locked = moved.length === 0 ? seen : await healthOf(sql, 'lock', moved)
  const next = new Map(
    moved.flatMap((id) => {
      const health = locked.get(id)
      return health ? [[id, after(health, attemptsOn(id, done))] as const] : []
    }),
  )
  await saveHealth(sql, next)
  const at = Math.max(...done.map(({ endedAt }) => endedAt))
  return ids.filter((id) => {
    const health = next.get(id) ?? seen.get(id)
    return health === undefined || sendable(health, at) !== 'any'
  })
}

function attemptsOn(id: string, done: readonly Done<DeliveryJob>[]): readonly Done<DeliveryJob>[] {
  return done
    .filter((one) => one.job.subscriptionId === id && tellsOfHealth(one))
    .toSorted((a, b) => a.endedAt - b.endedAt)
}

/** Whoever mends his receiver and tries it may fail as often as he likes. */
function tellsOfHealth({ job, attempt: { outcome } }: Done<DeliveryJob>): boolean {
  return job.plannedAt === null || outcome === 'delivered' || outcome === 'gone'
}

function after(health: Health, done: readonly Done<DeliveryJob>[]): Health {
  return done.reduce((now, { attempt, endedAt }) => afterAttempt(now, attempt, endedAt), health)
}

function isMoved(health: Health | undefined, done: readonly Done<DeliveryJob>[]): boolean {
  if (health === undefined) {
    return false
  }
  const next = after(health, done)
  return (Object.keys(next) as (keyof Health)[]).some((key) => next[key] !== health[key])
}

async function healthOf(
  sql: Sql,
  how: 'select' | 'lock',
  ids: readonly string[],
): Promise<ReadonlyMap<string, Health>> {
  if (ids.length === 0) {
    return new Map()
  }
  const rows = await sql<HealthColumns & { id: string }>(
    `select id, status, consecutive_failures, not_before, changed_at, reason from webhooks
     where id = any($1::uuid[]) and deleted_at is null
     ${how === 'lock' ? 'order by id for no key update' : ''}`,
    [ids],
  )
  return new Map(rows.map((row) => [row.id, toHealth(row)]))
}

async function saveHealth(sql: Sql, healths: ReadonlyMap<string, Health>): Promise<void> {
  if (healths.size === 0) {
    return
  }
  await sql(
    `update webhooks w set status = t.status, consecutive_failures = t.failures,
       not_before = t.not_before, changed_at = t.changed_at, reason = t.reason
     from unnest($1::uuid[], $2::text[], $3::int[], $4::bigint[], $5::bigint[], $6::text[])
       as t(id, status, failures, not_before, changed_at, reason)
     where w.id = t.id`,
    columns(
      [...healths],
      ([id]) => id,
      ([, health]) => health.status,
      ([, health]) => health.consecutiveFailures,
      ([, health]) => health.notBefore,
      ([, health]) => health.changedAt,
      ([, health]) => health.reason,
    ),
  )
}

type IsOurs = (job: DeliveryJob) => boolean

async function lockLanes(sql: Sql, jobs: readonly DeliveryJob[]): Promise<IsOurs> {
  const rows = await sql<{ webhook_id: string; lane: string; claim: number | null }>(
    `select webhook_id, lane, claim from lanes
     where (webhook_id, lane) in (select * from unnest($1::uuid[], $2::uuid[]))
     order by webhook_id, lane for update`,
    columns(
      jobs,
      (job) => job.subscriptionId,
      (job) => job.lane,
    ),
  )
  const claims = new Map(rows.map((row) => [`${row.webhook_id}/${row.lane}`, row.claim]))
  return (job) => claims.get(`${job.subscriptionId}/${job.lane}`) === job.claim
}

/** Written once: a row that already counts the attempt was written by a commit we did not see. */
async function writeAttempts(sql: Sql, done: readonly Done<DeliveryJob>[]): Promise<void> {
  if (done.length === 0) {
    return
  }
  await sql(
    `update deliveries d set status = t.status, next_at = t.next_at, tries = t.tries, asked = false,
       attempts = t.attempts + 1, finished_at = case when t.status <> 'pending' then t.at end,
       log = (d.log || t.entry)[greatest(1, cardinality(d.log) + 2 - ${LOG_MAX}):]
     from unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::int[], $6::int[],
       $7::bigint[], $8::json[], $9::uuid[])
       as t(webhook_id, notification_seq, status, next_at, tries, attempts, at, entry, lane)
     where d.webhook_id = t.webhook_id and d.lane = t.lane and d.notification_seq = t.notification_seq
       and d.status = 'pending' and d.attempts = t.attempts`,
    columns(
      done.map((one) => ({ ...one, ...outcomeOf(one) })),
      ({ job }) => job.subscriptionId,
      ({ job }) => job.number,
      ({ status }) => status,
      ({ nextAt }) => nextAt,
      ({ tries }) => tries,
      ({ job }) => job.attempts,
      ({ endedAt }) => endedAt,
      ({ entry }) => JSON.stringify(entry),
      ({ job }) => job.lane,
    ),
  )
}

function outcomeOf({ job, attempt, endedAt }: Done<DeliveryJob>): {
  readonly status: DeliveryStatus
  readonly nextAt: number
  readonly tries: number
  readonly entry: AttemptRecord
} {
  const { outcome, status, error, durationMs, responseStart, retryAfterMs } = attempt
  const at = endedAt - durationMs
  const entry = { at, outcome, status, error, durationMs, responseStart }
  const tries = job.tries + 1
  if (outcome === 'delivered') {
    return { status: 'delivered', nextAt: endedAt, tries, entry }
  }
  if (job.plannedAt !== null && job.plannedAt > endedAt) {
    return { status: 'pending', nextAt: job.plannedAt, tries: job.tries, entry }
  }
  const nextAt = nextAttemptAt(tries, endedAt, Math.random, retryAfterMs)
  if (nextAt === null) {
    return { status: 'failed', nextAt: endedAt, tries, entry }
  }
  return { status: 'pending', nextAt, tries, entry }
}

/**
 * Counts the jobs down that a lane is held for. With the last of them it is free for the next claim,
 * behind those that have waited longer; with nothing left in it, it is gone. A statement of its own
 * after the lock: it sees whatever was put into the lane before.
 */
async function release(sql: Sql, jobs: readonly DeliveryJob[]): Promise<boolean> {
  if (jobs.length === 0) {
    return false
  }
  const rows = await sql<{ more: boolean | null }>(
    `with ended as (
       select webhook_id, lane, count(*)::int as count
       from unnest($1::uuid[], $2::uuid[]) as t(webhook_id, lane) group by 1, 2
     ), left_in as materialized (
       select e.webhook_id, e.lane, l.held - e.count as held, head.next_at
       from ended e join lanes l using (webhook_id, lane) left join lateral (
         select next_at from deliveries d
         where d.webhook_id = e.webhook_id and d.lane = e.lane and d.status = 'pending'
         order by notification_seq limit 1) head on true
     ), gone as (
       delete from lanes l using left_in
       where left_in.held <= 0 and left_in.next_at is null
         and l.webhook_id = left_in.webhook_id and l.lane = left_in.lane
     ), kept as (
       update lanes l set held = greatest(left_in.held, 0),
         due_at = case when left_in.held > 0 then l.due_at else left_in.next_at end,
         claim = case when left_in.held > 0 then l.claim end,
         node = case when left_in.held > 0 then l.node end
       from left_in where (left_in.held > 0 or left_in.next_at is not null)
         and l.webhook_id = left_in.webhook_id and l.lane = left_in.lane
     )
     select bool_or(held <= 0 and next_at is not null) as more from left_in`,
    columns(
      jobs,
      (job) => job.subscriptionId,
      (job) => job.lane,
    ),
  )
  return rows[0]?.more ?? false
}

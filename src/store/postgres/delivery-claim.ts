import type { DeliveryJob } from '../delivery-job.ts'
import type { ClaimRequest } from '../delivery-queue.ts'
import type { WebhookFormat } from '../webhooks.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'
import { isServed } from './subscribers.ts'

/**
 * A queue is empty at one moment and long at the next, so the planner's statistics of it are always
 * wrong, and it is made to use the indexes. A crash of the database may undo the latest claims and records:
 * then something is sent again, and nothing is lost.
 */
export const QUEUE_SETTINGS = `select set_config('enable_seqscan', 'off', true),
  set_config('synchronous_commit', 'off', true)`

/**
 * Each subscription with queue heads, found by one index step each, however many heads it has. Those of suspended
 * accounts are left out here, so that what is held for them takes nothing of the limit of a claim.
 */
const WAITING = `recursive waiting (webhook_id) as (
    (select webhook_id from delivery_queue_heads order by webhook_id limit 1)
    union all
    select (select head.webhook_id from delivery_queue_heads head
            where head.webhook_id > waiting.webhook_id order by head.webhook_id limit 1)
    from waiting where waiting.webhook_id is not null
  ), sendable as (
    select w.id, w.status, w.not_before from waiting join webhooks w on w.id = waiting.webhook_id
    where w.deleted_at is null and w.status <> 'disabled' and ${isServed('w.owner_id')}
  )`

interface Head {
  webhook_id: string
  ordering_key: string | null
  /** How many jobs its subscription may be given. */
  quota: number
  is_probe: boolean
}

interface JobRow {
  webhook_id: string
  ordering_key: string
  notification_seq: number
  scheduled_attempts: number
  attempts: number
  planned_at: number | null
  notification_id: string
  type: string
  data: string
  created_at: number
  format: WebhookFormat
  agent_name: string | null
  sealed_url: Buffer
  sealed_secret: Buffer
  sealed_previous: Buffer | null
  previous_until: number | null
  claim: number
}

export interface Claim {
  readonly jobs: readonly DeliveryJob[]
  /** Another transaction had a due head locked: it may be free soon, and no notification says so. */
  readonly isContended: boolean
}

export async function claim(sql: Sql, nodeId: string, request: ClaimRequest): Promise<Claim> {
  await sql(QUEUE_SETTINGS)
  const due = await lockHeads(sql, request)
  const locked = due.filter((head) => head.ordering_key !== null)
  const isContended = locked.length < due.length
  const heads = await startProbes(sql, locked, request)
  if (heads.length === 0) {
    return { jobs: [], isContended }
  }
  // A statement of its own: it sees all that was committed behind these heads before they were locked.
  return { jobs: await takeJobs(sql, nodeId, heads, request), isContended }
}

/**
 * Frees what this node has claimed without knowing of it: the connection was lost when the claim was
 * committed. Its jobs would otherwise wait for the end of the claim.
 */
export async function releaseUnknown(
  sql: Sql,
  nodeId: string,
  known: readonly number[],
): Promise<void> {
  await sql(
    `update delivery_queue_heads set due_at = 0, claim = null, node_id = null, in_flight = 0
     where node_id = $1 and claim <> all($2::bigint[])`,
    [nodeId, known],
  )
}

/**
 * Locks due heads, of each subscription first the one due longest, subscriptions in turns. One that
 * another transaction has locked is skipped, and comes without its key.
 */
async function lockHeads(
  sql: Sql,
  { now, limit, quota, quotas }: ClaimRequest,
): Promise<readonly Head[]> {
  return sql<Head>(
    `with ${WAITING}, open as (
       select w.id, w.status = 'paused' as is_probe,
         least(coalesce(q.quota, $3), case w.status when 'paused' then 1 else $2 end) as quota
       from sendable w left join unnest($4::uuid[], $5::int[]) as q(id, quota) on q.id = w.id
       where w.not_before is null or w.not_before <= $1
     ), due as (
       select o.id as webhook_id, o.quota, o.is_probe, head.ordering_key, head.due_at,
         row_number() over (partition by o.id order by head.due_at) as turn
       from open o cross join lateral (
         select ordering_key, due_at from delivery_queue_heads
         where webhook_id = o.id and due_at <= $1
         order by due_at limit o.quota) head
     ), chosen as materialized (
       select * from due order by turn, due_at limit $2
     )
     select c.webhook_id, head.ordering_key, c.quota, c.is_probe
     from chosen c left join lateral (
       select ordering_key from delivery_queue_heads
       where webhook_id = c.webhook_id and ordering_key = c.ordering_key and due_at <= $1
       for update skip locked) head on true
     order by c.turn`,
    [now, limit, quota, [...quotas.keys()], [...quotas.values()]],
  )
}

/** A probe is stored with the subscription, so that no other node sends a second one. */
async function startProbes(
  sql: Sql,
  heads: readonly Head[],
  { now, probedUntil }: ClaimRequest,
): Promise<readonly Head[]> {
  const probes = heads.filter((head) => head.is_probe).map((head) => head.webhook_id)
  if (probes.length === 0) {
    return heads
  }
  const rows = await sql<{ id: string }>(
    `update webhooks set not_before = $2 where id in (
       select id from webhooks where id = any($1::uuid[]) and status = 'paused'
         and (not_before is null or not_before <= $3)
       for no key update skip locked)
     returning id`,
    [probes, probedUntil, now],
  )
  const started = new Set(rows.map(({ id }) => id))
  return heads.filter((head) => !head.is_probe || started.has(head.webhook_id))
}

/**
 * Takes the deliveries of each head in turns, one of every head, then the second ones, up to the quota
 * of the subscription. A head with no deliveries left is deleted.
 */
async function takeJobs(
  sql: Sql,
  nodeId: string,
  heads: readonly Head[],
  { limit, claimedUntil }: ClaimRequest,
): Promise<readonly DeliveryJob[]> {
  const headsOf = new Map<string, number>()
  for (const { webhook_id: id } of heads) {
    headsOf.set(id, (headsOf.get(id) ?? 0) + 1)
  }
  // Where the limit will cut, little more is read than it leaves.
  const readMax = Math.ceil((2 * limit) / heads.length)
  const rows = await sql<JobRow>(
    `with ours as (
       select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[])
         as t(webhook_id, ordering_key, quota, read_max)
     ), found as materialized (
       select ours.*, d.notification_seq, d.scheduled_attempts, d.attempts, d.planned_at,
         row_number() over (
           partition by ours.webhook_id, ours.ordering_key order by d.notification_seq) as position
       from ours join webhooks w on w.id = ours.webhook_id and w.deleted_at is null
         cross join lateral (
         select notification_seq, scheduled_attempts, attempts,
           case when is_requested then next_attempt_at end as planned_at
         from deliveries
         where webhook_id = ours.webhook_id and ordering_key = ours.ordering_key
           and status = 'pending'
         order by notification_seq limit ours.read_max) d
     ), ranked as (
       select *, row_number() over (partition by webhook_id order by position) as turn from found
     ), taken as materialized (
       select * from ranked where turn <= quota order by turn limit $5
     ), number as materialized (
       select nextval('delivery_claims') as claim
     ), claimed as (
       update delivery_queue_heads head
       set claim = number.claim, node_id = $6, due_at = $7, in_flight = t.count
       from (
         select webhook_id, ordering_key, count(*)::int as count from taken group by 1, 2) t, number
       where head.webhook_id = t.webhook_id and head.ordering_key = t.ordering_key
     ), deleted as (
       delete from delivery_queue_heads head using ours
       where head.webhook_id = ours.webhook_id and head.ordering_key = ours.ordering_key
         and not exists (
           select from found f
           where f.webhook_id = ours.webhook_id and f.ordering_key = ours.ordering_key)
     )
     select t.webhook_id, t.ordering_key, t.notification_seq, t.scheduled_attempts, t.attempts,
       t.planned_at, n.id as notification_id, n.type, n.data::text as data, n.created_at, w.format,
       a.display_name as agent_name, w.sealed_url, w.sealed_secret, w.sealed_previous,
       w.previous_until, number.claim
     from number cross join taken t
       join notifications n on n.seq = t.notification_seq
       join webhooks w on w.id = t.webhook_id
       left join agents a on w.format <> 'standard' and a.id = n.agent_id
     order by t.turn, t.position`,
    [
      ...columns(
        heads,
        (head) => head.webhook_id,
        (head) => head.ordering_key,
        (head) => head.quota,
        (head) => Math.min(readMax, Math.ceil(head.quota / (headsOf.get(head.webhook_id) ?? 1))),
      ),
      limit,
      nodeId,
      claimedUntil,
    ],
  )
  return rows.map(toJob)
}

/** When the next delivery falls due that is not due yet. */
export async function nextDueAt(sql: Sql, now: number): Promise<number | null> {
  const rows = await sql<{ next_at: number | null }>(
    `with ${WAITING}
     select min(case when w.not_before > $1 then w.not_before else head.due_at end) as next_at
     from sendable w cross join lateral (
       select min(due_at) as due_at from delivery_queue_heads
       where webhook_id = w.id and due_at > $1) head`,
    [now],
  )
  return rows[0]?.next_at ?? null
}

function toJob(row: JobRow): DeliveryJob {
  return {
    id: `${row.webhook_id}/${row.notification_seq}`,
    subscriptionId: row.webhook_id,
    orderingKey: row.ordering_key,
    notificationId: row.notification_id,
    number: row.notification_seq,
    type: row.type,
    data: row.data,
    createdAt: row.created_at,
    format: row.format,
    agentName: row.agent_name,
    sealedUrl: row.sealed_url,
    sealedSecret: row.sealed_secret,
    sealedPrevious: row.sealed_previous,
    previousUntil: row.previous_until,
    scheduledAttempts: row.scheduled_attempts,
    attempts: row.attempts,
    plannedAt: row.planned_at,
    claim: row.claim,
  }
}

import type { DeliveryJob } from '../../delivery/delivery-job.ts'
import { CLAIM_MS, type ClaimRequest } from '../../delivery/delivery-store.ts'
import { HEALTHY, probing } from '../../delivery/schedule.ts'
import { columns } from './rows.ts'
import type { Sql } from './sql.ts'

/**
 * A queue is empty at one moment and long at the next, so what the planner last learnt of it is
 * always wrong: it is told to take the indexes. And a crash of the database may undo the latest
 * claims and records: then something is sent again, nothing is lost.
 */
export const QUEUE_SETTINGS = `select set_config('enable_seqscan', 'off', true),
  set_config('synchronous_commit', 'off', true)`

/** Each subscription for which something waits, found in one step each, however much it is. */
const WAITING = `recursive waiting (webhook_id) as (
    (select webhook_id from lanes order by webhook_id limit 1)
    union all
    select (select l.webhook_id from lanes l where l.webhook_id > waiting.webhook_id
            order by l.webhook_id limit 1)
    from waiting where waiting.webhook_id is not null
  ), sendable as (
    select w.id, w.status, w.not_before from waiting join webhooks w on w.id = waiting.webhook_id
    where w.deleted_at is null and w.status <> 'disabled'
  )`

interface Lane {
  webhook_id: string
  lane: string | null
  /** How much its subscription may be given. */
  share: number
  is_probe: boolean
}

interface JobRow {
  webhook_id: string
  lane: string
  notification_seq: number
  tries: number
  attempts: number
  planned_at: number | null
  notification_id: string
  type: string
  data: string
  created_at: number
  url: string
  sealed_secret: Buffer
  sealed_previous: Buffer | null
  previous_until: number | null
  claim: number
}

export interface Claim {
  readonly jobs: readonly DeliveryJob[]
  /** Somebody else was at a lane that was due: it may be free in a moment, and nobody tells. */
  readonly isContended: boolean
}

export async function claim(sql: Sql, nodeId: string, request: ClaimRequest): Promise<Claim> {
  await sql(QUEUE_SETTINGS)
  const due = await lockLanes(sql, request)
  const locked = due.filter(({ lane }) => lane !== null)
  const isContended = locked.length < due.length
  const lanes = await startProbes(sql, locked, request.now)
  if (lanes.length === 0) {
    return { jobs: [], isContended }
  }
  // A statement of its own: it sees all that was committed to these lanes before they were locked.
  return { jobs: await takeJobs(sql, nodeId, lanes, request), isContended }
}

/**
 * Locks due lanes, each subscription's longest due first, subscriptions in turns. One that another
 * transaction is at is stepped over, and comes without its name.
 */
async function lockLanes(
  sql: Sql,
  { now, limit, share, shares }: ClaimRequest,
): Promise<readonly Lane[]> {
  return sql<Lane>(
    `with ${WAITING}, open as (
       select w.id, w.status = 'paused' as is_probe,
         least(coalesce(s.share, $3), case w.status when 'paused' then 1 else $2 end) as share
       from sendable w left join unnest($4::uuid[], $5::int[]) as s(id, share) on s.id = w.id
       where w.not_before is null or w.not_before <= $1
     ), due as (
       select o.id as webhook_id, o.share, o.is_probe, l.lane, l.due_at,
         row_number() over (partition by o.id order by l.due_at) as turn
       from open o cross join lateral (
         select lane, due_at from lanes where webhook_id = o.id and due_at <= $1
         order by due_at limit o.share) l
     ), chosen as materialized (
       select * from due order by turn, due_at limit $2
     )
     select c.webhook_id, l.lane, c.share, c.is_probe
     from chosen c left join lateral (
       select lane from lanes where webhook_id = c.webhook_id and lane = c.lane and due_at <= $1
       for update skip locked) l on true
     order by c.turn`,
    [now, limit, share, [...shares.keys()], [...shares.values()]],
  )
}

/** A probe is noted with the subscription, so that no other node sends one beside it. */
async function startProbes(
  sql: Sql,
  lanes: readonly Lane[],
  now: number,
): Promise<readonly Lane[]> {
  const probes = lanes.filter((lane) => lane.is_probe).map((lane) => lane.webhook_id)
  if (probes.length === 0) {
    return lanes
  }
  const rows = await sql<{ id: string }>(
    `update webhooks set not_before = $2 where id in (
       select id from webhooks where id = any($1::uuid[]) and status = 'paused'
         and (not_before is null or not_before <= $3)
       for no key update skip locked)
     returning id`,
    [probes, probing(HEALTHY, now).notBefore, now],
  )
  const ours = new Set(rows.map(({ id }) => id))
  return lanes.filter((lane) => !lane.is_probe || ours.has(lane.webhook_id))
}

/**
 * Takes the first deliveries of each lane: one of every lane, then the second ones, up to the share.
 * A lane that turns out to be empty is removed.
 */
async function takeJobs(
  sql: Sql,
  nodeId: string,
  lanes: readonly Lane[],
  { now, limit }: ClaimRequest,
): Promise<readonly DeliveryJob[]> {
  const counts = new Map<string, number>()
  for (const { webhook_id: id } of lanes) {
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  // Where the limit will cut, little more is read than it leaves.
  const mostOfLane = Math.ceil((2 * limit) / lanes.length)
  const rows = await sql<JobRow>(
    `with ours as (
       select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[])
         as t(webhook_id, lane, share, most)
     ), found as materialized (
       select ours.*, d.notification_seq, d.tries, d.attempts, d.planned_at,
         row_number() over (partition by ours.webhook_id, ours.lane order by d.notification_seq) as place
       from ours cross join lateral (
         select notification_seq, tries, attempts, case when asked then next_at end as planned_at
         from deliveries
         where webhook_id = ours.webhook_id and lane = ours.lane and status = 'pending'
         order by notification_seq limit ours.most) d
     ), ranked as (
       select *, row_number() over (partition by webhook_id order by place) as turn from found
     ), taken as materialized (
       select * from ranked where turn <= share order by turn limit $5
     ), number as materialized (
       select nextval('claims') as claim
     ), claimed as (
       update lanes l set claim = number.claim, node = $6, due_at = $7, held = t.count
       from (select webhook_id, lane, count(*)::int as count from taken group by 1, 2) t, number
       where l.webhook_id = t.webhook_id and l.lane = t.lane
     ), emptied as (
       delete from lanes l using ours
       where l.webhook_id = ours.webhook_id and l.lane = ours.lane and not exists (
         select from found f where f.webhook_id = ours.webhook_id and f.lane = ours.lane)
     )
     select t.webhook_id, t.lane, t.notification_seq, t.tries, t.attempts, t.planned_at, n.id as notification_id, n.type,
       n.data::text as data, n.created_at, w.url, w.sealed_secret, w.sealed_previous,
       w.previous_until, number.claim
     from number cross join taken t
       join notifications n on n.seq = t.notification_seq
       join webhooks w on w.id = t.webhook_id
     order by t.turn, t.place`,
    [
      ...columns(
        lanes,
        (lane) => lane.webhook_id,
        (lane) => lane.lane,
        (lane) => lane.share,
        (lane) => Math.min(mostOfLane, Math.ceil(lane.share / (counts.get(lane.webhook_id) ?? 1))),
      ),
      limit,
      nodeId,
      now + CLAIM_MS,
    ],
  )
  return rows.map(toOutgoing)
}

/** When the first of what waits falls due. */
export async function nextAt(sql: Sql, now: number): Promise<number | null> {
  const rows = await sql<{ next_at: number | null }>(
    `with ${WAITING}
     select min(case when w.not_before > $1 then w.not_before else l.due_at end) as next_at
     from sendable w cross join lateral (
       select min(due_at) as due_at from lanes where webhook_id = w.id and due_at > $1) l`,
    [now],
  )
  return rows[0]?.next_at ?? null
}

function toOutgoing(row: JobRow): DeliveryJob {
  return {
    id: `${row.webhook_id}/${row.notification_seq}`,
    subscriptionId: row.webhook_id,
    lane: row.lane,
    notificationId: row.notification_id,
    number: row.notification_seq,
    type: row.type,
    data: row.data,
    createdAt: row.created_at,
    url: row.url,
    sealedSecret: row.sealed_secret,
    sealedPrevious: row.sealed_previous,
    previousUntil: row.previous_until,
    tries: row.tries,
    attempts: row.attempts,
    plannedAt: row.planned_at,
    claim: row.claim,
  }
}

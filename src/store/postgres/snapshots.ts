import type { SnapshotTrigger } from '../../domain/agent.ts'
import type { Snapshot } from '../../domain/snapshot.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { SnapshotStore, SnapshotsOf } from '../snapshots.ts'
import type { Page } from '../types.ts'
import {
  columns,
  first,
  NUMBER_MAX,
  page,
  type RowsWrite,
  rowsWrite,
  SCANNED_MAX,
  writeRows,
} from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'

interface SnapshotColumns {
  id: string
  agent_id: string
  number: number
  seq: number
  score: number
  event_count: number
  breakdown: Snapshot['breakdown']
  disputed: Snapshot['disputed']
  exposure_limit: number | null
  trigger: SnapshotTrigger
  model_version: string
  created_at: number
  corrected_at: number | null
}

const SNAPSHOT = `id, agent_id, number, seq, score, event_count, breakdown, disputed, exposure_limit,
  trigger, model_version, created_at, corrected_at`

/** Snapshots of one transaction: some tens of milliseconds. */
const THINNED_MAX = 2_000

/** Of the epoch, in UTC. The epoch began on a Thursday, and weeks begin on Mondays. */
function dayOf(time: string): string {
  return `(${time} / ${DAY_MS})`
}

function weekOf(time: string): string {
  return `((${time} / ${DAY_MS} + 3) / 7)`
}

export function snapshotStore({ sql, lists, lagging }: Session): SnapshotStore {
  return {
    list: (of, before, limit) => listSnapshots(of.isCurrent ? lists : lagging, of, before, limit),
    within: (agentIds, from, to) => snapshotsWithin(lists, agentIds, from, to),
    async find(agentId, id) {
      const row = first(
        await sql<SnapshotColumns>(
          `select ${SNAPSHOT} from snapshots where agent_id = $1 and id = $2`,
          [agentId, id],
        ),
      )
      return row && toSnapshot(row)
    },
    async lastBefore(agentId, seq) {
      const row = first(
        await sql<{ number: number }>(
          `select number from snapshots where agent_id = $1 and seq < $2
           order by number desc limit 1`,
          [agentId, seq],
        ),
      )
      return row?.number ?? 0
    },
    insert: (snapshots) => insertSnapshots(sql, snapshots),
    async thin(agentId, after, { daysBefore, weeksBefore, lowScore, lowSince }) {
      const [part] = await sql<{ read: number; last: number | null; removed: number }>(
        `with aged as (
           select number, score, created_at, trigger ->> 'kind' as kind,
             lead(created_at) over (order by number) as next_at
           from (select * from snapshots where agent_id = $1 and number > $2 and created_at < $3
                 order by number limit ${THINNED_MAX}) as part
         ), removed as (
           delete from snapshots s using aged
           where s.agent_id = $1 and s.number = aged.number and aged.kind = 'event'
             and not (aged.score < $5 and aged.created_at >= $6)
             and case when aged.created_at < $4
               then ${weekOf('aged.created_at')} = ${weekOf('aged.next_at')}
               else ${dayOf('aged.created_at')} = ${dayOf('aged.next_at')} end
           returning s.number
         ), noted as (
           insert into thinned_snapshots (agent_id, number)
           select $1, max(number) from removed having count(*) > 0
           on conflict (agent_id) do update
             set number = greatest(thinned_snapshots.number, excluded.number)
         )
         select (select count(*)::int from aged) as read, (select max(number) from aged) as last,
           (select count(*)::int from removed) as removed`,
        [agentId, after, daysBefore, weeksBefore, lowScore, lowSince],
      )
      const { read = 0, last = null, removed = 0 } = part ?? {}
      // The last one is read again: whether it is the last of its day shows by the next.
      return { removed, next: last === null || read < THINNED_MAX ? null : last - 1 }
    },
    async thinnedUntil(agentId) {
      const rows = await sql<{ number: number }>(
        'select number from thinned_snapshots where agent_id = $1',
        [agentId],
      )
      return first(rows)?.number ?? 0
    },
    async replace(agentId, after, by) {
      await sql('delete from snapshots where agent_id = $1 and number > $2', [agentId, after])
      await sql('update thinned_snapshots set number = least(number, $2) where agent_id = $1', [
        agentId,
        after,
      ])
      await insertSnapshots(sql, by)
    },
  }
}

async function* snapshotsWithin(
  sql: Sql,
  agentIds: readonly string[],
  from: number,
  to: number,
): AsyncIterable<readonly Snapshot[]> {
  const numbers = await sql<{ agent_id: string; first: number; last: number }>(
    `select agent_id, max(number) as last,
       coalesce(max(number) filter (where created_at < $2), min(number)) as first
     from snapshots where agent_id = any($1::uuid[]) and created_at <= $3
     group by agent_id`,
    [agentIds, from, to],
  )
  const ranges = numbers.map(({ agent_id: agentId, first, last }) => ({ agentId, first, last }))
  for (const part of partsOf(ranges)) {
    const rows = await sql<SnapshotColumns>(
      `select ${SNAPSHOT} from snapshots
       join unnest($1::uuid[], $2::bigint[], $3::bigint[]) as n (of_agent, first, last)
         on agent_id = of_agent and number between first and last
       order by agent_id, number`,
      columns(
        part,
        (n) => n.agentId,
        (n) => n.first,
        (n) => n.last,
      ),
    )
    yield rows.map(toSnapshot)
  }
}

/** Some snapshots of an agent; some of the numbers may be missing. */
interface SnapshotNumbers {
  readonly agentId: string
  readonly first: number
  readonly last: number
}

/** Snapshots read at a time: an agent that many report about may have a million. */
const PART = 5_000

/** Divides the numbers into parts that are read at a time. */
function* partsOf(numbers: readonly SnapshotNumbers[]): Generator<readonly SnapshotNumbers[]> {
  let part: SnapshotNumbers[] = []
  let left = PART
  for (const { agentId, first, last } of numbers) {
    for (let next = first; next <= last; ) {
      const end = Math.min(last, next + left - 1)
      part.push({ agentId, first: next, last: end })
      left -= end - next + 1
      next = end + 1
      if (left === 0) {
        yield part
        part = []
        left = PART
      }
    }
  }
  if (part.length > 0) {
    yield part
  }
}

/**
 * The snapshots of an agent, newest first. Their times rise with their numbers: a page that a filter bounds
 * passes so many of them, and ends where they are too old.
 */
async function listSnapshots(
  sql: Sql,
  { agentId, from, to }: SnapshotsOf,
  before: number | null,
  limit: number,
): Promise<Page<Snapshot>> {
  const isFiltered = from !== undefined || to !== undefined
  const start = before ?? NUMBER_MAX
  const end = isFiltered ? await endOf(sql, agentId, start) : null
  const rows = await sql<SnapshotColumns>(
    `select ${SNAPSHOT} from snapshots
     where agent_id = $1 and number < $2 and number >= $6
       and ($3::bigint is null or created_at >= $3) and ($4::bigint is null or created_at <= $4)
     order by number desc limit $5`,
    [agentId, start, from ?? null, to ?? null, limit + 1, end?.number ?? 0],
  )
  const found = page(rows.map(toSnapshot), limit)
  const goesOn = !found.more && end !== null && end.created_at >= (from ?? 0)
  return goesOn ? { ...found, more: true, end: [end.number] } : found
}

interface Place {
  readonly number: number
  readonly created_at: number
}

/** The last snapshot that a page passes; null where it passes all. */
async function endOf(sql: Sql, agentId: string, before: number): Promise<Place | null> {
  return first(
    await sql<Place>(
      `select number, created_at from snapshots where agent_id = $1 and number < $2
       order by number desc offset $3 limit 1`,
      [agentId, before, SCANNED_MAX - 1],
    ),
  )
}

function insertSnapshots(sql: Sql, snapshots: readonly Snapshot[]): Promise<void> {
  return writeRows(sql, 'snapshots', snapshotRows(snapshots))
}

export function snapshotRows(snapshots: readonly Snapshot[]): RowsWrite {
  return rowsWrite(INSERT_SNAPSHOTS, snapshots, [
    (s) => s.id,
    (s) => s.agentId,
    (s) => s.number,
    (s) => s.seq,
    (s) => s.score,
    (s) => s.eventCount,
    (s) => JSON.stringify(s.breakdown),
    (s) => JSON.stringify(s.disputed),
    (s) => s.exposureLimit,
    (s) => JSON.stringify(s.trigger),
    (s) => s.modelVersion,
    (s) => s.createdAt,
    (s) => s.correctedAt,
  ])
}

const INSERT_SNAPSHOTS = `insert into snapshots (${SNAPSHOT})
  select ${SNAPSHOT} from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::smallint[],
    $6::int[], $7::json[], $8::json[], $9::float8[], $10::json[], $11::text[], $12::bigint[],
    $13::bigint[]) as t(${SNAPSHOT})`

function toSnapshot(row: SnapshotColumns): Snapshot {
  return {
    id: row.id,
    agentId: row.agent_id,
    number: row.number,
    seq: row.seq,
    score: row.score,
    eventCount: row.event_count,
    breakdown: row.breakdown,
    disputed: row.disputed,
    exposureLimit: row.exposure_limit,
    trigger: row.trigger,
    modelVersion: row.model_version,
    createdAt: row.created_at,
    correctedAt: row.corrected_at,
  }
}

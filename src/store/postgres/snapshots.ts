import type { SnapshotTrigger } from '../../domain/agent.ts'
import type { Snapshot } from '../../domain/snapshot.ts'
import type { SnapshotQuery, SnapshotStore } from '../snapshots.ts'
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

export function snapshotStore({ sql, lists, lagging }: Session): SnapshotStore {
  return {
    list: (agentId, query) => listSnapshots(lagging, agentId, query),
    async numbersWithin(agentIds, from, to) {
      const rows = await lists<{ agent_id: string; first: number; last: number }>(
        `select agent_id, max(number) as last,
           coalesce(max(number) filter (where created_at < $2), min(number)) as first
         from snapshots where agent_id = any($1::uuid[]) and created_at <= $3
         group by agent_id`,
        [agentIds, from, to],
      )
      return rows.map(({ agent_id, first, last }) => ({ agentId: agent_id, first, last }))
    },
    async numbered(numbers) {
      const rows = await lists<SnapshotColumns>(
        `select ${SNAPSHOT} from snapshots
         join unnest($1::uuid[], $2::bigint[], $3::bigint[]) as n (of_agent, first, last)
           on agent_id = of_agent and number between first and last
         order by agent_id, number`,
        columns(
          numbers,
          (n) => n.agentId,
          (n) => n.first,
          (n) => n.last,
        ),
      )
      return rows.map(toSnapshot)
    },
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

/**
 * The snapshots of an agent, newest first. Their numbers leave no gap, and their times rise with them: a page
 * that a filter bounds passes so many numbers, and ends where they are too old.
 */
async function listSnapshots(
  sql: Sql,
  agentId: string,
  { from, to, before, limit }: SnapshotQuery,
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

export function insertSnapshots(sql: Sql, snapshots: readonly Snapshot[]): Promise<void> {
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

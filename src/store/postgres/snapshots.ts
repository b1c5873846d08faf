import type { SnapshotTrigger } from '../../domain/agent.ts'
import type { Snapshot } from '../../domain/snapshot.ts'
import type { HistoryQuery } from '../scores.ts'
import type { Page } from '../types.ts'
import {
  first,
  NUMBER_MAX,
  page,
  type RowsWrite,
  rowsWrite,
  SCANNED_MAX,
  writeRows,
} from './rows.ts'
import type { Sql } from './sql.ts'

export interface SnapshotColumns {
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

export const SNAPSHOT = `id, agent_id, number, seq, score, event_count, breakdown, disputed, exposure_limit,
  trigger, model_version, created_at, corrected_at`

/**
 * The snapshots of an agent, newest first. Their numbers leave no gap, and their times rise with them: a page
 * that a filter bounds passes so many numbers, and ends where they are too old.
 */
export async function listSnapshots(
  sql: Sql,
  agentId: string,
  { from, to, before, limit }: HistoryQuery,
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

export function toSnapshot(row: SnapshotColumns): Snapshot {
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

import type { Snapshot } from '../../domain/snapshot.ts'
import { type RowsWrite, rowsWrite } from './rows.ts'
import { json, tableOf } from './table.ts'

export const SNAPSHOTS = tableOf<Snapshot>('snapshots', {
  id: 'id',
  agentId: 'agent_id',
  number: 'number',
  seq: 'seq',
  score: 'score',
  eventCount: 'event_count',
  breakdown: json('breakdown'),
  disputed: json('disputed'),
  exposureLimit: 'exposure_limit',
  trigger: json('trigger'),
  modelVersion: 'model_version',
  createdAt: 'created_at',
  correctedAt: 'corrected_at',
})

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

const INSERT_SNAPSHOTS = `insert into snapshots (${SNAPSHOTS.columns})
  select ${SNAPSHOTS.columns} from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::smallint[],
    $6::int[], $7::json[], $8::json[], $9::float8[], $10::json[], $11::text[], $12::bigint[],
    $13::bigint[]) as t(${SNAPSHOTS.columns})`

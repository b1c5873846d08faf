import type { Strongest } from '../../domain/attribution.ts'
import {
  decodeAttribution,
  decodeStrongest,
  encodeAttribution,
  encodeStrongest,
} from '../../domain/attribution-codec.ts'
import { decodeEvidence, encodeEvidence } from '../../domain/evidence-codec.ts'
import { MODEL, MODEL_VERSION } from '../../domain/model.ts'
import type { AgentState } from '../agent-states.ts'
import {
  type AttributedCheckpoint,
  CHECKPOINT_EVENTS,
  type Checkpoint,
  type CheckpointBound,
  type CheckpointStore,
} from '../checkpoints.ts'
import { columns, first, type RowsWrite, rowsWrite, writeRows } from './rows.ts'
import type { Sql } from './sql.ts'

interface CheckpointColumns {
  agent_id: string
  seq: number
  at: number
  evidence: Buffer
  quarantined_count: number
  corrected_at: number | null
}

const CHECKPOINT = 'agent_id, seq, at, evidence, quarantined_count, corrected_at'

/** The strongest five events lie in at most as many parts of the log. */
const PARTS = 5

export function checkpointStore(sql: Sql): CheckpointStore {
  return {
    async last(agentId, bound, { isAttributed } = { isAttributed: false }) {
      const [by, value] = boundOf(bound)
      const row = first(
        await sql<CheckpointColumns & { attribution?: string }>(
          `select ${CHECKPOINT} ${isAttributed ? ', attribution' : ''} from checkpoints
           where agent_id = $1 and ${by} <= $2 and model_version = $3
             ${isAttributed ? 'and attribution is not null' : ''}
           order by ${by} desc, seq desc limit 1`,
          [agentId, value, MODEL_VERSION],
        ),
      )
      const checkpoint = row && toCheckpoint(row)
      return checkpoint && row.attribution !== undefined
        ? { ...checkpoint, attribution: decodeAttribution(row.attribution, checkpoint.evidence) }
        : checkpoint
    },
    async numbers(agentId, after, bound) {
      const [by, value] = boundOf(bound)
      const rows = await sql<{ seq: number }>(
        `select seq from checkpoints
         where agent_id = $1 and seq > $2 and ${by} <= $3 and model_version = $4 order by seq`,
        [agentId, after, value, MODEL_VERSION],
      )
      return rows.map(({ seq }) => seq)
    },
    async strongest(agentId, after, until) {
      const [first, ...parts] = await sql<{ seq: number; moves: string }>(
        `with parts as materialized (
           select seq, up_max, down_max from checkpoints
           where agent_id = $1 and seq > $2 and seq <= $3 and model_version = $4
             and attribution is not null),
         later as (select * from parts where seq > (select min(seq) from parts))
         select seq, moves from checkpoints where agent_id = $1 and seq in (
           (select min(seq) from parts)
           union
           (select seq from later where up_max > 0 order by up_max desc, seq limit $5)
           union
           (select seq from later where down_max > 0 order by down_max desc, seq limit $5))
         order by seq`,
        [agentId, after, until, MODEL_VERSION, PARTS],
      )
      return first
        ? { first: first.seq, parts: parts.map(({ moves }) => decodeStrongest(moves)) }
        : null
    },
    add: (read, checkpoints) => addCheckpoints(sql, read, checkpoints),
    async replaceFrom(agentId, from, by) {
      await sql('delete from checkpoints where agent_id = $1 and seq >= $2', [agentId, from])
      await insertCheckpoints(sql, by)
    },
  }
}

/** The column that bounds, and its greatest value. */
function boundOf({ seq, at }: CheckpointBound): readonly [column: 'seq' | 'at', value: number] {
  return at === undefined ? ['seq', seq ?? Number.MAX_SAFE_INTEGER] : ['at', at]
}

/** The states of agents before a batch. */
export type Before = ReadonlyMap<string, Pick<AgentState, 'seq'>>

/** A checkpoint of each agent that has passed enough events since it was read, of its state after the batch. */
export function dueCheckpoints(
  agentStates: readonly AgentState[],
  before: Before,
): readonly Checkpoint[] {
  return agentStates
    .filter((state) => isDue(state, before.get(state.agentId)))
    .map((state) => ({ ...state, at: state.updatedAt }))
}

function isDue(
  { seq, modelVersion }: AgentState,
  before: Pick<AgentState, 'seq'> | undefined,
): boolean {
  return modelVersion === MODEL_VERSION && partOf(seq) > partOf(before?.seq ?? seq)
}

/** A batch that ends in another part than it began in leaves a checkpoint where it ends. */
function partOf(seq: number): number {
  return Math.floor(seq / CHECKPOINT_EVENTS)
}

function insertCheckpoints(sql: Sql, checkpoints: readonly Checkpoint[]): Promise<void> {
  return writeRows(sql, 'checkpoints', checkpointRows(checkpoints))
}

export function checkpointRows(checkpoints: readonly Checkpoint[]): RowsWrite {
  return rowsWrite(INSERT_CHECKPOINTS, checkpoints, CHECKPOINT_VALUES, [MODEL_VERSION])
}

/**
 * The lock that is taken conflicts with the writers of the state. A reader does not wait for them: what
 * it does not add now, the next one adds.
 */
async function addCheckpoints(
  sql: Sql,
  { agentId, correctedAt, modelVersion }: AgentState,
  checkpoints: readonly (Checkpoint | AttributedCheckpoint)[],
): Promise<boolean> {
  if (modelVersion !== MODEL_VERSION) {
    return false
  }
  const rows = await sql<{ is_unchanged: boolean }>(
    `with unchanged as (
       select 1 as one from agent_states
       where agent_id = $11 and corrected_at is not distinct from $12::bigint
         and model_version = $13
       for share skip locked
     ), added as (
       insert into checkpoints as c
         (${CHECKPOINT}, attribution, moves, up_max, down_max, model_version)
       select t.*, $13 from unnest(${ARRAYS}, $7::text[], $8::text[], $9::float8[], $10::float8[])
         as t(${CHECKPOINT}, attribution, moves, up_max, down_max), unchanged
       order by seq
       on conflict (agent_id, seq) do update
         set attribution = excluded.attribution, moves = excluded.moves,
           up_max = excluded.up_max, down_max = excluded.down_max
         where c.attribution is null and excluded.attribution is not null)
     select exists (select from unchanged) as is_unchanged`,
    [
      ...columns(checkpoints, ...CHECKPOINT_VALUES),
      ...columns(
        checkpoints.map((one) => ('attribution' in one ? one : null)),
        (one) => one && encodeAttribution(one.attribution),
        (one) => one && encodeStrongest(one.strongest),
        (one) => one && strengthOf(one.strongest.up),
        (one) => one && strengthOf(one.strongest.down),
      ),
      agentId,
      correctedAt,
      MODEL_VERSION,
    ],
  )
  return rows[0]?.is_unchanged ?? false
}

function strengthOf([strongest]: Strongest['up']): number {
  return Math.abs(strongest?.points ?? 0)
}

const ARRAYS = '$1::uuid[], $2::bigint[], $3::bigint[], $4::bytea[], $5::int[], $6::bigint[]'

const INSERT_CHECKPOINTS = `insert into checkpoints (${CHECKPOINT}, model_version)
  select ${CHECKPOINT}, $7 from unnest(${ARRAYS}) as t(${CHECKPOINT})`

const CHECKPOINT_VALUES = [
  (c: Checkpoint) => c.agentId,
  (c: Checkpoint) => c.seq,
  (c: Checkpoint) => c.at,
  (c: Checkpoint) => encodeEvidence(c.evidence),
  (c: Checkpoint) => c.quarantinedCount,
  (c: Checkpoint) => c.correctedAt,
]

function toCheckpoint(row: CheckpointColumns): Checkpoint {
  return {
    agentId: row.agent_id,
    seq: row.seq,
    at: row.at,
    evidence: decodeEvidence(MODEL, row.evidence),
    quarantinedCount: row.quarantined_count,
    correctedAt: row.corrected_at,
  }
}

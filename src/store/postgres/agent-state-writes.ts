import { encodeEvidence } from '../../domain/evidence-codec.ts'
import { MODEL_VERSION } from '../../domain/model.ts'
import { encodeProfile } from '../../fraud/profile-codec.ts'
import type { AgentState } from '../agent-states.ts'
import { AGENT_STATE } from './agent-state-columns.ts'
import { type RowsWrite, rowsWrite, writeRows } from './rows.ts'
import type { Sql } from './sql.ts'
import { HAS_SUBSCRIBER } from './subscribers.ts'

export async function insertAgentState(sql: Sql, agentState: AgentState): Promise<void> {
  await sql(
    `insert into agent_states (${AGENT_STATE})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
    [
      agentState.agentId,
      agentState.ownerId,
      agentState.status,
      encodeEvidence(agentState.evidence),
      encodeProfile(agentState.profile),
      agentState.score,
      agentState.isDisputed,
      agentState.wasLow,
      agentState.snapshots,
      agentState.seq,
      agentState.chain,
      agentState.quarantinedCount,
      agentState.correctedAt,
      JSON.stringify(agentState.reporterHours),
      agentState.credentialFloor,
      agentState.modelVersion,
      agentState.successorId,
      agentState.parentId,
      agentState.isParent,
      agentState.updatedAt,
    ],
  )
}

/**
 * Writes what folding events changes: not the owner, the status or the credential floor. Evidence that
 * another model folded so far is then folded by more than one.
 */
export async function saveAgentStates(
  sql: Sql,
  agentStates: readonly AgentState[],
  version: number,
): Promise<void> {
  const write = rowsWrite(SAVE_AGENT_STATES, agentStates, STATE_VALUES, [MODEL_VERSION, version])
  await writeRows(sql, 'agent states', write)
}

const CHANGED = `evidence = t.evidence, profile = t.profile, score = t.score,
    is_disputed = t.is_disputed, was_low = t.was_low, snapshot_count = t.snapshot_count, seq = t.seq, chain = t.chain,
    quarantined_count = t.quarantined_count, corrected_at = t.corrected_at,
    reporter_hours = t.reporter_hours, updated_at = t.updated_at`

const GIVEN = `$1::uuid[], $2::bytea[], $3::text[], $4::smallint[], $5::boolean[],
    $6::boolean[], $7::bigint[], $8::bigint[], $9::bytea[], $10::int[], $11::bigint[], $12::text[], $13::bigint[]`

const GIVEN_NAMES = `agent_id, evidence, profile, score, is_disputed, was_low, snapshot_count, seq, chain,
    quarantined_count, corrected_at, reporter_hours, updated_at`

const SAVE_AGENT_STATES = `update agent_states s set ${CHANGED},
    model_version = case when s.model_version = $14 then $14 else '' end, version = $15
  from unnest(${GIVEN}) as t(${GIVEN_NAMES})
  where s.agent_id = t.agent_id`

const SAVE_CURRENT_STATES = `update agent_states s set ${CHANGED},
    model_version = case when s.model_version = $15 then $15 else '' end, version = $16::bigint
  from unnest(${GIVEN}, $14::bigint[]) as t(${GIVEN_NAMES}, expected)
  where s.agent_id = t.agent_id and s.version = t.expected`

const SAVE_PLAIN_STATES = `${SAVE_CURRENT_STATES} and not (${HAS_SUBSCRIBER})`

const STATE_VALUES = [
  (s: AgentState) => s.agentId,
  (s: AgentState) => encodeEvidence(s.evidence),
  (s: AgentState) => encodeProfile(s.profile),
  (s: AgentState) => s.score,
  (s: AgentState) => s.isDisputed,
  (s: AgentState) => s.wasLow,
  (s: AgentState) => s.snapshots,
  (s: AgentState) => s.seq,
  (s: AgentState) => s.chain,
  (s: AgentState) => s.quarantinedCount,
  (s: AgentState) => s.correctedAt,
  (s: AgentState) => JSON.stringify(s.reporterHours),
  (s: AgentState) => s.updatedAt,
]

/**
 * Only where their version is still the expected one and, with `isNotified`, they have no subscriber.
 */
export function currentStateRows(
  agentStates: readonly AgentState[],
  version: number,
  expected: (agentId: string) => number | undefined,
  { isNotified }: { readonly isNotified: boolean },
): RowsWrite {
  const text = isNotified ? SAVE_PLAIN_STATES : SAVE_CURRENT_STATES
  const values = [...STATE_VALUES, (s: AgentState) => expected(s.agentId)]
  return rowsWrite(text, agentStates, values, [MODEL_VERSION, version])
}

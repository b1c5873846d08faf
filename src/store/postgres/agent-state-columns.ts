import type { AgentStatus } from '../../domain/agent.ts'
import type { Evidence } from '../../domain/evidence-state.ts'
import { decodeProfile } from '../../fraud/profile-codec.ts'
import type { AgentState } from '../agent-states.ts'
import type { Sql } from './sql.ts'
import type { Versioned } from './state-cache.ts'
import { refoldedEvidence, storedEvidence } from './stored-evidence.ts'

export interface AgentStateColumns {
  agent_id: string
  owner_id: string
  status: AgentStatus
  evidence: Buffer
  profile: string
  score: number
  is_disputed: boolean
  was_low: boolean
  snapshot_count: number
  seq: number
  chain: Buffer
  quarantined_count: number
  corrected_at: number | null
  reporter_hours: string
  credential_floor: number
  model_version: string
  successor_id: string | null
  parent_id: string | null
  is_parent: boolean
  updated_at: number
}

export const AGENT_STATE = `agent_id, owner_id, status, evidence, profile, score, is_disputed, was_low,
  snapshot_count,   seq, chain, quarantined_count, corrected_at, reporter_hours, credential_floor, model_version,
  successor_id, parent_id, is_parent, updated_at`

/** The states by agent. Evidence that another version of the codec stored is folded again from the log. */
export async function byAgent(
  sql: Sql,
  rows: readonly AgentStateColumns[],
): Promise<ReadonlyMap<string, AgentState>> {
  const agentStates = new Map<string, AgentState>()
  for (const row of rows) {
    agentStates.set(row.agent_id, await agentStateIn(sql, row))
  }
  return agentStates
}

/** The states with their versions. */
export async function versioned(
  sql: Sql,
  rows: readonly (AgentStateColumns & { version: number })[],
): Promise<readonly Versioned<AgentState>[]> {
  const states: Versioned<AgentState>[] = []
  for (const row of rows) {
    states.push({ value: await agentStateIn(sql, row), version: row.version })
  }
  return states
}

export function agentStateIn(sql: Sql, row: AgentStateColumns): AgentState | Promise<AgentState> {
  const evidence = storedEvidence(row.evidence)
  return evidence
    ? toAgentState(row, evidence)
    : refoldedEvidence(sql, row.agent_id, row.evidence).then((own) => toAgentState(row, own))
}

function toAgentState(row: AgentStateColumns, evidence: Evidence): AgentState {
  return {
    agentId: row.agent_id,
    ownerId: row.owner_id,
    status: row.status,
    evidence,
    profile: decodeProfile(row.profile),
    score: row.score,
    isDisputed: row.is_disputed,
    wasLow: row.was_low,
    snapshots: row.snapshot_count,
    seq: row.seq,
    chain: row.chain,
    quarantinedCount: row.quarantined_count,
    correctedAt: row.corrected_at,
    reporterHours: JSON.parse(row.reporter_hours) as AgentState['reporterHours'],
    credentialFloor: row.credential_floor,
    modelVersion: row.model_version,
    successorId: row.successor_id,
    parentId: row.parent_id,
    isParent: row.is_parent,
    updatedAt: row.updated_at,
  }
}

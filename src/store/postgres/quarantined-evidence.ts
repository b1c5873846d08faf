import { decodeEvidence, encodeEvidence } from '../../domain/evidence-codec.ts'
import { MODEL, MODEL_VERSION } from '../../domain/model.ts'
import type { QuarantinedEvidenceStore } from '../quarantined-evidence.ts'
import { first } from './rows.ts'
import type { Sql } from './sql.ts'

interface Columns {
  seq: number
  evidence: Buffer
  corrected_at: number | null
  events: string
}

export function quarantinedEvidenceStore(sql: Sql): QuarantinedEvidenceStore {
  return {
    async find(agentId) {
      const row = first(
        await sql<Columns>(
          `select seq, evidence, corrected_at, events from quarantined_evidence
           where agent_id = $1 and model_version = $2`,
          [agentId, MODEL_VERSION],
        ),
      )
      return (
        row && {
          agentId,
          seq: row.seq,
          evidence: decodeEvidence(MODEL, row.evidence),
          correctedAt: row.corrected_at,
          events: row.events,
        }
      )
    },
    async save({ agentId, seq, evidence, correctedAt, events }) {
      await sql(
        `insert into quarantined_evidence as q
           (agent_id, seq, evidence, corrected_at, events, model_version)
         select $1, $2, $3, $4, $5, $6 from agent_states where agent_id = $1 for key share
         on conflict (agent_id) do update
         set seq = excluded.seq, evidence = excluded.evidence, corrected_at = excluded.corrected_at,
           events = excluded.events, model_version = excluded.model_version
         where (q.events, q.model_version) is distinct from (excluded.events, excluded.model_version)
           or q.corrected_at is distinct from excluded.corrected_at or q.seq < excluded.seq`,
        [agentId, seq, encodeEvidence(evidence), correctedAt, events, MODEL_VERSION],
      )
    },
    async delete(agentId) {
      await sql('delete from quarantined_evidence where agent_id = $1', [agentId])
    },
  }
}

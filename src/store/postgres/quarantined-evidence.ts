import { decodeEvidence, encodeEvidence } from '../../domain/evidence-codec.ts'
import { MODEL, MODEL_VERSION } from '../../domain/model.ts'
import type { QuarantinedEvidence, QuarantinedEvidenceStore } from '../quarantined-evidence.ts'
import type { Sql } from './sql.ts'

interface Columns {
  agent_id: string
  seq: number
  evidence: Buffer
  corrected_at: number | null
  events: string
  model_version: string
}

const COLUMNS = 'agent_id, seq, evidence, corrected_at, events, model_version'

export function quarantinedEvidenceStore(sql: Sql): QuarantinedEvidenceStore {
  return {
    async find({ agentId }) {
      const rows = await sql<Columns>(
        `select ${COLUMNS} from quarantined_evidence where agent_id = $1`,
        [agentId],
      )
      return ofThisModel(rows)
    },
    async save({ agentId, seq, evidence, correctedAt, events }) {
      const [saved] = await sql<{ is_new: boolean }>(
        `insert into quarantined_evidence as q (${COLUMNS})
         select $1, $2, $3, $4, $5, $6 from agent_states where agent_id = $1 for key share
         on conflict (agent_id) do update
         set seq = excluded.seq, evidence = excluded.evidence, corrected_at = excluded.corrected_at,
           events = excluded.events, model_version = excluded.model_version
         where (q.events, q.model_version) is distinct from (excluded.events, excluded.model_version)
           or q.corrected_at is distinct from excluded.corrected_at or q.seq < excluded.seq
         returning xmax = 0 as is_new`,
        [agentId, seq, encodeEvidence(evidence), correctedAt, events, MODEL_VERSION],
      )
      return saved?.is_new ?? false
    },
    async delete({ agentId }) {
      const rows = await sql<Columns>(
        `delete from quarantined_evidence where agent_id = $1 returning ${COLUMNS}`,
        [agentId],
      )
      return ofThisModel(rows)
    },
  }
}

function ofThisModel([row]: readonly Columns[]): QuarantinedEvidence | null {
  if (row?.model_version !== MODEL_VERSION) {
    return null
  }
  return {
    agentId: row.agent_id,
    seq: row.seq,
    evidence: decodeEvidence(MODEL, row.evidence),
    correctedAt: row.corrected_at,
    events: row.events,
  }
}

import type { AuditRow, AuditStore } from '../store.ts'
import { page } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  id: string
  actor_kind: string
  actor_id: string | null
  action: string
  target_kind: string | null
  target_id: string | null
  details: Record<string, unknown>
  created_at: number
}

const COLUMNS = 'id, actor_kind, actor_id, action, target_kind, target_id, details, created_at'

export function auditStore(sql: Sql): AuditStore {
  return {
    async insert({ id, actor, action, target, details, createdAt }) {
      await sql(`insert into audit (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)`, [
        id,
        actor.kind,
        actor.id,
        action,
        target?.kind ?? null,
        target?.id ?? null,
        JSON.stringify(details),
        createdAt,
      ])
    },
    async list(before, limit) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from audit where $1::uuid is null or id < $1 order by id desc limit $2`,
        [before, limit + 1],
      )
      return page(rows.map(toAudit), limit)
    },
  }
}

function toAudit(row: Row): AuditRow {
  return {
    id: row.id,
    actor: { kind: row.actor_kind, id: row.actor_id },
    action: row.action,
    target:
      row.target_kind !== null && row.target_id !== null
        ? { kind: row.target_kind, id: row.target_id }
        : null,
    details: row.details,
    createdAt: row.created_at,
  }
}

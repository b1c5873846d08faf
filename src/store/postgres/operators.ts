import type { OperatorRow, OperatorStore } from '../operators.ts'
import { locking } from './rows.ts'
import type { Session } from './session.ts'

interface Row {
  id: string
  name: string
  created_at: number
  revoked_at: number | null
  last_used_at: number | null
}

const COLUMNS = 'id, name, created_at, revoked_at, last_used_at'

export function operatorStore({ sql, changed }: Session): OperatorStore {
  return {
    async insert({ id, name, createdAt }) {
      const rows = await sql(
        `insert into operators (id, name, created_at) values ($1, $2, $3)
         on conflict (name) where revoked_at is null do nothing returning id`,
        [id, name, createdAt],
      )
      return rows.length === 1
    },
    async list(options) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from operators order by id desc ${locking(options)}`,
      )
      return rows.map(toOperator)
    },
    async revoke(id, at) {
      const written = await sql.written(
        'update operators set revoked_at = $2 where id = $1 and revoked_at is null',
        [id, at],
      )
      await changed({ kind: 'callers', ids: [id] })
      return written === 1
    },
  }
}

function toOperator(row: Row): OperatorRow {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

import type { Discard, DiscardStore } from '../discards.ts'
import { locking } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  platform_id: string
  platform_owner_id: string | null
  reason: string
  requested_at: number
  after_agent_id: string | null
  agents: number
  finished_at: number | null
}

const COLUMNS = `platform_id, platform_owner_id, reason, requested_at, after_agent_id, agents,
  finished_at`

export function discardStore(sql: Sql): DiscardStore {
  return {
    async find(platformIds, options) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from discards where platform_id = any($1::uuid[]) ${locking(options)}`,
        [platformIds],
      )
      return new Map(rows.map((row) => [row.platform_id, toDiscard(row)]))
    },
    async save(discard) {
      await sql(
        `insert into discards (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (platform_id) do update set platform_owner_id = $2, reason = $3,
           requested_at = $4, after_agent_id = $5, agents = $6, finished_at = $7`,
        [
          discard.platformId,
          discard.platformOwnerId,
          discard.reason,
          discard.requestedAt,
          discard.afterAgentId,
          discard.agents,
          discard.finishedAt,
        ],
      )
    },
    async unfinished(limit) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from discards where finished_at is null order by requested_at limit $1`,
        [limit],
      )
      return rows.map(toDiscard)
    },
  }
}

function toDiscard(row: Row): Discard {
  return {
    platformId: row.platform_id,
    platformOwnerId: row.platform_owner_id,
    reason: row.reason,
    requestedAt: row.requested_at,
    afterAgentId: row.after_agent_id,
    agents: row.agents,
    finishedAt: row.finished_at,
  }
}

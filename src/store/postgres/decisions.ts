import { DECISIONS_MAX, type DecisionRow, type DecisionStore } from '../decisions.ts'
import { columns, expectRows, ID_MAX, page } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  id: string
  platform_id: string
  created_at: number
  via: DecisionRow['via']
  agent_id: string | null
  identifier: string | null
  action: string | null
  verdict: DecisionRow['verdict']
  reasons: DecisionRow['reasons']
  score: number | null
  policy: string | null
}

export function decisionStore(sql: Sql): DecisionStore {
  return {
    async insert(rows) {
      if (rows.length === 0) {
        return
      }
      await insert(sql, rows)
      await removeOlder(sql, new Set(rows.map(({ platformId }) => platformId)))
    },
    async list(platformId, before, limit) {
      const rows = await sql<Row>(
        `select id, platform_id, created_at, via, agent_id, identifier, action, verdict, reasons,
           score, policy
         from decisions where platform_id = $1 and id < coalesce($2::uuid, '${ID_MAX}')
         order by id desc limit $3`,
        [platformId, before, limit + 1],
      )
      return page(rows.map(toDecision), limit)
    },
  }
}

async function insert(sql: Sql, rows: readonly DecisionRow[]): Promise<void> {
  const written = await sql.written(
    `insert into decisions (id, platform_id, created_at, via, agent_id, identifier, action, verdict,
       reasons, score, policy)
     select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::uuid[], $6::text[],
       $7::text[], $8::text[], $9::json[], $10::smallint[], $11::text[])`,
    columns(
      rows,
      (row) => row.id,
      (row) => row.platformId,
      (row) => row.createdAt,
      (row) => row.via,
      (row) => row.agentId,
      (row) => row.identifier,
      (row) => row.action,
      (row) => row.verdict,
      (row) => JSON.stringify(row.reasons),
      (row) => row.score,
      (row) => row.policy,
    ),
  )
  expectRows('decisions', written, rows.length)
}

async function removeOlder(sql: Sql, platformIds: ReadonlySet<string>): Promise<void> {
  await sql(
    `delete from decisions d using (
       select p.id as platform_id,
         (select id from decisions where platform_id = p.id
          order by id desc offset ${DECISIONS_MAX} limit 1) as id
       from unnest($1::uuid[]) as p (id)
     ) as older
     where d.platform_id = older.platform_id and d.id <= older.id`,
    [[...platformIds].sort()],
  )
}

function toDecision(row: Row): DecisionRow {
  const { platform_id: platformId, created_at: createdAt, agent_id: agentId, ...rest } = row
  return { ...rest, platformId, createdAt, agentId }
}

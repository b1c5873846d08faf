import { DECISIONS_MAX, type DecisionRow, type DecisionStore } from '../decisions.ts'
import type { ById } from '../rows.ts'
import { rowStore } from './row-store.ts'
import { columns, expectRows } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { json, tableOf } from './table.ts'

const DECISIONS = tableOf<DecisionRow>('decisions', {
  id: 'id',
  platformId: 'platform_id',
  createdAt: 'created_at',
  via: 'via',
  agentId: 'agent_id',
  identifier: 'identifier',
  action: 'action',
  verdict: 'verdict',
  reasons: json('reasons'),
  score: 'score',
  policy: 'policy',
})

const rowsIn = rowStore<DecisionRow, ById, string>(DECISIONS, {
  list: { of: 'platform_id = $1', order: 'id desc' },
})

export function decisionStore(session: Session): DecisionStore {
  const { sql } = session
  return {
    ...rowsIn(session),
    async insertAll(rows) {
      if (rows.length === 0) {
        return
      }
      await insert(sql, rows)
      await removeOlder(sql, new Set(rows.map(({ platformId }) => platformId)))
    },
  }
}

async function insert(sql: Sql, rows: readonly DecisionRow[]): Promise<void> {
  const written = await sql.written(
    `insert into decisions (${DECISIONS.columns})
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

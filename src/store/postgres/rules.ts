import type { RuleMode } from '../../fraud/rule.ts'
import type { RuleFindings, RuleStore } from '../rules.ts'
import { isTest } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'

interface Row {
  rule: string
  mode: RuleMode
  threshold: number | null
  updated_at: number
}

export function ruleStore({ sql, lists, changed }: Session): RuleStore {
  return {
    async list() {
      const rows = await sql<Row>('select rule, mode, threshold, updated_at from fraud_rules')
      return rows.map(({ updated_at, ...row }) => ({ ...row, updatedAt: updated_at }))
    },
    findings: (since) => countFindings(lists, since),
    async set({ rule, mode, threshold, updatedAt }) {
      await sql(
        `insert into fraud_rules (rule, mode, threshold, updated_at) values ($1, $2, $3, $4)
         on conflict (rule) do update
           set mode = excluded.mode, threshold = excluded.threshold, updated_at = excluded.updated_at`,
        [rule, mode, threshold, updatedAt],
      )
      await changed({ kind: 'rules' })
    },
  }
}

/** Events with findings that are counted, the latest ones: some tens of milliseconds of reading. */
const FINDINGS_MAX = 10_000

function countFindings(sql: Sql, since: number): Promise<readonly RuleFindings[]> {
  return sql<RuleFindings>(
    `select finding ->> 'rule' as rule, count(*)::int as events,
       (count(*) filter (where finding ->> 'rule' = any(fraud_flags)))::int as quarantined,
       (count(*) filter (where finding ->> 'rule' = any(fraud_flags) and status = 'released'))::int
         as released,
       (count(*) filter (where finding ->> 'rule' = any(fraud_flags) and status = 'upheld'))::int
         as upheld
     from (select findings, fraud_flags, review ->> 'status' as status from events
           where findings is not null and created_at >= $1 and not ${isTest('agent_id')}
           order by created_at desc, id desc limit ${FINDINGS_MAX}) as found
     cross join lateral json_array_elements(findings) as finding
     group by 1`,
    [since],
  )
}

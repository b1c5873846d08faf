import type { RuleFindings, RuleRow, RuleStore } from '../rules.ts'
import { rowStore } from './row-store.ts'
import { expectRows, isTest } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { readerOf, tableOf } from './table.ts'

const RULES = tableOf<RuleRow>('fraud_rules', {
  rule: 'rule',
  mode: 'mode',
  threshold: 'threshold',
  updatedAt: 'updated_at',
})

const COLUMNS = RULES.columns

const rowsIn = rowStore<RuleRow, Pick<RuleRow, 'rule'>>(RULES, { order: 'rule' })

export function ruleStore(session: Session): RuleStore {
  const { sql, lists, changed } = session
  const { one } = readerOf(sql, RULES)
  return {
    findAll: rowsIn(session).findAll,
    findings: (since) => countFindings(lists, since),
    async change({ rule, mode, threshold, updatedAt }, change) {
      // In one statement: two changes at once are both kept.
      const row = await one(
        `insert into fraud_rules (${COLUMNS}) values ($1, $2, $3, $4)
         on conflict (rule) do update
           set mode = case when $5 then excluded.mode else fraud_rules.mode end,
             threshold = case when $6 then excluded.threshold else fraud_rules.threshold end,
             updated_at = excluded.updated_at
         returning ${COLUMNS}`,
        [
          rule,
          mode,
          threshold,
          updatedAt,
          change.mode !== undefined,
          change.threshold !== undefined,
        ],
      )
      await changed({ kind: 'rules' })
      expectRows('rule', row ? 1 : 0, 1)
      return row as RuleRow
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

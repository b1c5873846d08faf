import type { RuleMode } from '../../fraud/rule.ts'
import type { RuleStore } from '../rules.ts'
import type { Session } from './session.ts'

interface Row {
  rule: string
  mode: RuleMode
  threshold: number | null
  updated_at: number
}

export function ruleStore({ sql, changed }: Session): RuleStore {
  return {
    async list() {
      const rows = await sql<Row>('select rule, mode, threshold, updated_at from fraud_rules')
      return rows.map(({ updated_at, ...row }) => ({ ...row, updatedAt: updated_at }))
    },
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

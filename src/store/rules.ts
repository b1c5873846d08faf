import type { RuleMode } from '../fraud/rule.ts'

/** Settings of a rule that an operator changed. */
export interface RuleRow {
  readonly rule: string
  readonly mode: RuleMode
  /** Null: the default of the rule. */
  readonly threshold: number | null
  readonly updatedAt: number
}

export interface RuleStore {
  list(): Promise<readonly RuleRow[]>
  set(row: RuleRow): Promise<void>
}

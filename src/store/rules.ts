import type { RuleMode } from '../fraud/rule.ts'
import type { Groups } from './rows.ts'

/** Settings of a rule that an operator changed. */
export interface RuleRow {
  readonly rule: string
  readonly mode: RuleMode
  /** Null: the default of the rule. */
  readonly threshold: number | null
  readonly updatedAt: number
}

/** What is not given stays. */
export interface RuleChange {
  readonly mode?: RuleMode | undefined
  readonly threshold?: number | null | undefined
}

export interface RuleFindings {
  readonly rule: string
  /** Events in which it found something. */
  readonly events: number
  /** How many of them it quarantined, and what reviews decided on those. */
  readonly quarantined: number
  readonly released: number
  readonly upheld: number
}

export interface RuleStore
  extends Pick<Groups<RuleRow, Partial<Pick<RuleRow, 'mode'>>>, 'findAll'> {
  /** Changes the settings of a rule, or stores these where it has none yet. */
  change(row: RuleRow, change: RuleChange): Promise<RuleRow>
  /** What each rule found in the latest events with findings since a time. */
  findings(since: number): Promise<readonly RuleFindings[]>
}

import { invalidField, notFound } from '../domain/error.ts'
import type { Rule } from '../fraud/rule.ts'
import { RULES } from '../fraud/rules.ts'
import type { RuleRow, Store } from '../store/store.ts'

export interface RulePatch {
  readonly mode?: RuleRow['mode'] | undefined
  /** Null goes back to the default of the rule. */
  readonly threshold?: number | null | undefined
}

export function existingRule(id: string): Rule {
  const rule = RULES.find((one) => one.id === id)
  if (!rule) {
    throw notFound('rule')
  }
  return rule
}

/** Stores how the rule is applied from now on. */
export async function updateRule(
  within: Store,
  rule: Rule,
  patch: RulePatch,
  now: number,
): Promise<RuleRow> {
  checkThreshold(rule, patch.threshold ?? null)
  const before = (await within.rules.list()).find((row) => row.rule === rule.id)
  const row: RuleRow = {
    rule: rule.id,
    mode: patch.mode ?? before?.mode ?? rule.mode,
    threshold: patch.threshold === undefined ? (before?.threshold ?? null) : patch.threshold,
    updatedAt: now,
  }
  await within.rules.set(row)
  return row
}

function checkThreshold({ threshold }: Rule, value: number | null): void {
  if (value === null) {
    return
  }
  if (!threshold) {
    throw invalidField('threshold', 'this rule has no threshold')
  }
  const { min, max } = threshold
  if (value < min || value > max) {
    throw invalidField('threshold', `must lie between ${min} and ${max}`, 'out_of_range')
  }
}

import { invalidField, notFound } from '../domain/error.ts'
import type { Rule } from '../fraud/rule.ts'
import { RULES } from '../fraud/rules.ts'
import type { RuleChange, RuleRow, Store } from '../store/store.ts'

export function existingRule(id: string): Rule {
  const rule = RULES.find((one) => one.id === id)
  if (!rule) {
    throw notFound('rule')
  }
  return rule
}

/** Stores how the rule is applied from now on. A threshold of null is the default of the rule. */
export async function updateRule(
  within: Store,
  rule: Rule,
  change: RuleChange,
  now: number,
): Promise<RuleRow> {
  const { mode = rule.mode, threshold = null } = change
  checkThreshold(rule, threshold)
  return within.rules.change({ rule: rule.id, mode, threshold, updatedAt: now }, change)
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

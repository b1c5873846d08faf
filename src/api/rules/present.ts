import type { Rule } from '../../fraud/rule.ts'
import type { RuleSetting } from '../../fraud/rules.ts'
import type { RuleFindings } from '../../store/store.ts'

/** Long enough to judge a rule by, and no longer than rules stay as they are. */
export const FOUND_DAYS = 30

export function presentFound(found: RuleFindings | undefined) {
  const { events = 0, quarantined = 0, released = 0, upheld = 0 } = found ?? {}
  return { days: FOUND_DAYS, events, quarantined, released, upheld }
}

export function presentRule(rule: Rule, setting: RuleSetting | undefined) {
  const { id, summary, severity, mode: defaultMode, threshold } = rule
  return {
    id,
    summary,
    severity,
    mode: setting?.mode ?? defaultMode,
    defaultMode,
    threshold: threshold && {
      value: setting?.threshold ?? threshold.value,
      default: threshold.value,
      min: threshold.min,
      max: threshold.max,
      unit: threshold.unit,
      reason: threshold.reason,
    },
  }
}

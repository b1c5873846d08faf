import type { Rule } from '../../fraud/rule.ts'
import type { RuleSetting } from '../../fraud/rules.ts'
import { z } from '../../http/schema.ts'

const Mode = z.enum(['quarantine', 'shadow', 'off']).openapi({
  description:
    '`quarantine`: an event with a finding waits for review. `shadow`: it counts, and the finding is ' +
    'recorded. `off`: the rule is not applied.',
})

export const FraudRule = z
  .object({
    id: z.string().openapi({ example: 'burst' }),
    summary: z
      .string()
      .openapi({ example: 'More events in one minute than any honest agent has.' }),
    severity: z.enum(['low', 'medium', 'high']),
    mode: Mode,
    defaultMode: Mode,
    threshold: z
      .object({
        value: z.number().openapi({ description: 'The value in use.' }),
        default: z.number(),
        min: z.number(),
        max: z.number(),
        unit: z.string().openapi({ example: 'events a minute' }),
        reason: z.string().openapi({ example: 'Beyond anything in the real streams measured.' }),
      })
      .nullable(),
  })
  .openapi('FraudRule')

export const FraudRuleList = z.object({ data: z.array(FraudRule) }).openapi('FraudRuleList')

export const UpdateRuleBody = z
  .strictObject({
    mode: Mode.optional(),
    threshold: z.number().nullable().optional().openapi({
      description: 'Null restores the default of the rule.',
      example: 12,
    }),
  })
  .openapi('UpdateFraudRule')

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

import { z } from '../../http/schema.ts'
import { listOf } from '../paging.ts'

const Mode = z.enum(['quarantine', 'shadow', 'off']).openapi({
  description:
    '`quarantine`: an event with a finding waits for review. `shadow`: it counts, and the finding is ' +
    'recorded. `off`: the rule is not applied.',
})

const Count = z.int().min(0)

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

const Found = z
  .object({
    days: z.int().openapi({ example: 30 }),
    events: Count.openapi({
      description: 'Events in which the rule found something.',
      example: 12,
    }),
    quarantined: Count.openapi({
      description: 'How many of them it quarantined. In shadow mode it would have quarantined all.',
      example: 12,
    }),
    released: Count.openapi({ example: 2 }),
    upheld: Count.openapi({ example: 9 }),
  })
  .openapi('RuleFindings', {
    description:
      'What the rule found lately, among the latest 10,000 events with findings, and what reviews decided.',
  })

const FraudRuleFound = FraudRule.extend({ found: Found }).openapi('FraudRuleWithFindings')

export const FraudRuleList = listOf(FraudRuleFound, 'FraudRuleList')

export const UpdateRuleBody = z
  .strictObject({
    mode: Mode.optional(),
    threshold: z.number().nullable().optional().openapi({
      description: 'Null restores the default of the rule.',
      example: 12,
    }),
  })
  .openapi('UpdateFraudRule')

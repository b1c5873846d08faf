import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { PageQuery } from '../paging.ts'
import { FraudRule, FraudRuleList, UpdateRuleBody } from './schema.ts'

const RuleParams = z.object({
  rule: z
    .string()
    .regex(/^[a-z_]{1,50}$/, 'is not the id of a rule')
    .openapi({ description: 'The id of the rule.', example: 'near_duplicate' }),
})

export const RULE_SPECS = {
  listRules: {
    method: 'get',
    path: '/v1/operator/rules',
    tag: 'Operator',
    summary: 'List the fraud rules and their settings',
    description:
      'Operator only. Returns each rule with its mode and its threshold: the value in use, the ' +
      'default, the bounds and the reason for it; and what it found in the last 30 days.',
    callers: ['operator'],
    query: PageQuery,
    responses: { 200: { description: 'A page of rules', schema: FraudRuleList } },
  },
  updateRule: {
    method: 'patch',
    path: '/v1/operator/rules/{rule}',
    tag: 'Operator',
    summary: 'Change the mode or the threshold of a fraud rule',
    description:
      'Operator only. Applies to events received from now on, on every node within a second; events ' +
      'received before keep their result.',
    callers: ['operator'],
    params: RuleParams,
    body: UpdateRuleBody,
    responses: { 200: { description: 'The rule', schema: FraudRule } },
  },
} as const satisfies RouteSpecs

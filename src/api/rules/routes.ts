import type { Context } from '../../context.ts'
import { invalidField, notFound } from '../../domain/error.ts'
import type { Rule } from '../../fraud/rule.ts'
import { RULES } from '../../fraud/rules.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import type { RuleRow, Store } from '../../store/store.ts'
import { audit } from '../audit/routes.ts'
import { FraudRule, FraudRuleList, presentRule, UpdateRuleBody } from './schema.ts'

const RuleParams = z.object({
  rule: z
    .string()
    .regex(/^[a-z_]{1,50}$/, 'is not the id of a rule')
    .openapi({ description: 'The id of the rule.', example: 'one_sided' }),
})

export function ruleRoutes(context: Context): readonly Route[] {
  const { rules: book } = context

  const list = route({
    method: 'get',
    path: '/v1/operator/rules',
    operationId: 'listRules',
    tag: 'Operator',
    summary: 'The anti-fraud rules, and how they are applied here',
    description: 'Each with its threshold, the bounds of it, and the reason for it.',
    callers: ['operator'],
    answers: { 200: { description: 'The rules', schema: FraudRuleList } },
    async handle() {
      const settings = await book.current(context.store)
      return ok({ data: RULES.map((rule) => presentRule(rule, settings.get(rule.id))) })
    },
  })

  const update = route({
    method: 'patch',
    path: '/v1/operator/rules/{rule}',
    operationId: 'updateRule',
    tag: 'Operator',
    summary: 'Hold by a rule, only note what it finds, or leave it out; and tune it',
    description:
      'It is applied to events that come in from now on, on every node within a second; what was judged before stays as it is.',
    callers: ['operator'],
    params: RuleParams,
    body: UpdateRuleBody,
    answers: { 200: { description: 'The rule', schema: FraudRule } },
    async handle({ caller, params: { rule: id }, body, transact }) {
      const rule = RULES.find((one) => one.id === id)
      if (!rule) {
        throw notFound('rule')
      }
      checkThreshold(rule, body.threshold ?? null)
      const answer = await transact(async (within) => {
        const row = changed(rule, body, await current(within, id), context.now())
        await within.rules.set(row)
        await audit(within, context, caller, 'rule.updated', { kind: 'rule', id }, body)
        return ok(presentRule(rule, book.settingOf(rule, row)))
      })
      book.forget()
      return answer
    },
  })

  return [list, update]
}

async function current(store: Store, id: string): Promise<RuleRow | undefined> {
  return (await store.rules.list()).find(({ rule }) => rule === id)
}

function changed(
  rule: Rule,
  { mode, threshold }: z.output<typeof UpdateRuleBody>,
  before: RuleRow | undefined,
  updatedAt: number,
): RuleRow {
  return {
    rule: rule.id,
    mode: mode ?? before?.mode ?? rule.mode,
    threshold: threshold === undefined ? (before?.threshold ?? null) : threshold,
    updatedAt,
  }
}

function checkThreshold({ threshold }: Rule, value: number | null): void {
  if (value === null) {
    return
  }
  if (!threshold) {
    throw invalidField('threshold', 'this rule has none')
  }
  const { min, max } = threshold
  if (value < min || value > max) {
    throw invalidField('threshold', `must lie from ${min} to ${max}`, 'out_of_range')
  }
}

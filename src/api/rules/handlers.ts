import { audit } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import { DAY_MS } from '../../domain/time.ts'
import { RULES } from '../../fraud/rules.ts'
import { ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { RuleBook } from '../../reviews/rule-book.ts'
import * as rules from '../../reviews/update-rule.ts'
import { FOUND_DAYS, presentFound, presentRule } from './present.ts'
import { RULE_SPECS } from './spec.ts'

export interface RuleDeps extends Context {
  readonly rules: RuleBook
}

export function ruleRoutes(deps: RuleDeps): readonly Route[] {
  return bind(RULE_SPECS, deps, { listRules, updateRule })
}

async function listRules({ store, rules: book, now }: RuleDeps) {
  const settings = await book.current(store)
  const found = await store.rules.findings(now() - FOUND_DAYS * DAY_MS)
  const data = RULES.map((rule) => ({
    ...presentRule(rule, settings.get(rule.id)),
    found: presentFound(found.find((one) => one.rule === rule.id)),
  }))
  return ok({ data })
}

async function updateRule(deps: RuleDeps, input: InputOf<typeof RULE_SPECS.updateRule>) {
  const { caller, body, transact } = input
  const rule = rules.existingRule(input.params.rule)
  return transact(async (within) => {
    const row = await rules.updateRule(within, rule, body, deps.now())
    await audit(within, deps, caller, {
      action: 'rule.updated',
      target: { kind: 'rule', id: rule.id },
      details: body,
    })
    return ok(presentRule(rule, deps.rules.settingOf(rule, row)))
  })
}

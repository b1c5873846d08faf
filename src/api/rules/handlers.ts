import { audit } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import { DAY_MS } from '../../domain/time.ts'
import type { Rule } from '../../fraud/rule.ts'
import { RULES } from '../../fraud/rules.ts'
import { ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { RuleBook } from '../../reviews/rule-book.ts'
import * as rules from '../../reviews/update-rule.ts'
import { idOf, pageAfter, pageByKey } from '../paging.ts'
import { FOUND_DAYS, presentFound, presentRule } from './present.ts'
import { RULE_SPECS } from './spec.ts'

export interface RuleDeps extends Context {
  readonly rules: RuleBook
}

export function ruleRoutes(deps: RuleDeps): readonly Route[] {
  return bind(RULE_SPECS, deps, { listRules, updateRule })
}

type In<Name extends keyof typeof RULE_SPECS> = InputOf<(typeof RULE_SPECS)[Name]>

/** In the order in which the flags of an event are listed: no rule is newer than another. */
async function listRules(deps: RuleDeps, { query }: In<'listRules'>) {
  const { store, cursors, rules: book, now } = deps
  const request = pageByKey(cursors, query, { list: 'rules' })
  const settings = await book.current(store)
  const found = await store.rules.findings(now() - FOUND_DAYS * DAY_MS)
  const page = pageAfter(RULES, idOf, request)
  const present = (rule: Rule) => ({
    ...presentRule(rule, settings.get(rule.id)),
    found: presentFound(found.find((one) => one.rule === rule.id)),
  })
  return request.respond(page, present, idOf)
}

async function updateRule(deps: RuleDeps, input: In<'updateRule'>) {
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

import { type List, useWholeList } from '../../../api/list.ts'
import { listRules } from '../../../api/operator.ts'
import type { Rule } from '../../../api/types.ts'

/** The rules, for every page that names them. */
export function useRules(): List<Rule> {
  return useWholeList<Rule>('rules', listRules)
}

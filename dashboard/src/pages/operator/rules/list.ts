import { type List, useList } from '../../../api/list.ts'
import { listRules } from '../../../api/operator.ts'
import type { Rule } from '../../../api/types.ts'

/** The rules, for every page that names them. */
export function useRules(): List<Rule> {
  return useList<Rule>('rules', (_, signal) => listRules(signal))
}
